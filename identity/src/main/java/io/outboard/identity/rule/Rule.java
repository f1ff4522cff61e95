// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.rule;

import io.outboard.lease.account.Fqan;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** One rule: for whom it is, which claims it wants, and what it gives. */
public final class Rule {
  /** The part of a template that is the subject's name at its source. */
  private static final String SUBJECT = "subject";

  private static final int MOST_TOLD = 5;
  private static final String CLAIM = "claim.";
  private static final Set<String> KEYS = Set.of("from", "tenant", "role", "user", "fqan");

  private final String name;
  private final String source;
  private final List<Condition> conditions;
  private final Role role;
  private final Template tenant;
  private final Template user;
  private final Optional<Template> fqan;

  private Rule(String name, Map<String, String> values) {
    this.name = name;
    this.source = wanted(values, "from");
    this.conditions = conditions(values);
    this.role = role(wanted(values, "role"));
    this.tenant = new Template(wanted(values, "tenant"));
    this.user = new Template(values.getOrDefault("user", "{" + SUBJECT + "}"));
    this.fqan = Optional.ofNullable(values.get("fqan")).map(Template::new);
    checkNames();
    checkConstants();
  }

  /**
   * Makes one of the values that a file has.
   *
   * @throws IllegalArgumentException if something is missing, or not known, or impossible
   */
  public static Rule of(String name, Map<String, String> values) {
    return new Rule(name, values);
  }

  private static String wanted(Map<String, String> values, String key) {
    String value = values.getOrDefault(key, "");
    if (value.isEmpty()) {
      throw new IllegalArgumentException("it wants '" + key + "'");
    }
    return value;
  }

  private static List<Condition> conditions(Map<String, String> values) {
    List<Condition> conditions = new ArrayList<>();
    values.forEach(
        (key, value) -> {
          if (key.startsWith(CLAIM)) {
            conditions.add(new Condition(key.substring(CLAIM.length()), ClaimPattern.parse(value)));
          } else if (!KEYS.contains(key)) {
            throw new IllegalArgumentException("a rule has no '" + key + "'");
          }
        });
    if (conditions.isEmpty()) {
      throw new IllegalArgumentException("it wants a 'claim.NAME': without one it were for all");
    }
    return List.copyOf(conditions);
  }

  /** Nobody is an operator because somebody else says so. */
  private static Role role(String label) {
    Role role = Role.of(label);
    if (role == Role.OPERATOR) {
      throw new IllegalArgumentException("a rule's role is reader or user, not operator");
    }
    return role;
  }

  private void checkNames() {
    Set<String> known = new HashSet<>(Set.of(SUBJECT));
    for (Condition condition : conditions) {
      if (condition.pattern().names().contains(SUBJECT)) {
        throw new IllegalArgumentException("{subject} is known without a claim");
      }
      known.addAll(condition.pattern().names());
    }
    for (Template one : templates()) {
      for (String place : one.names()) {
        if (!known.contains(place)) {
          throw new IllegalArgumentException("no part of a claim is {" + place + "}");
        }
      }
    }
  }

  private List<Template> templates() {
    List<Template> all = new ArrayList<>(List.of(tenant, user));
    fqan.ifPresent(all::add);
    return all;
  }

  /** A name that is always the same is looked at before anybody is judged. */
  private void checkConstants() {
    UnaryOperator<String> constant = text -> text.replaceAll("\\{[a-z][a-z0-9]*\\}", "x");
    Standing unused =
        new Standing(
            role,
            constant.apply(tenant.text()),
            constant.apply(user.text()),
            fqan.map(Template::text).map(constant).map(Fqan::new));
  }

  public String name() {
    return name;
  }

  /** Whose claims it is about. */
  public String source() {
    return source;
  }

  /** Its answer about somebody. */
  Judgement judge(Claims claims) {
    if (!source.equals(claims.source())) {
      return new Judgement(
          name, false, Optional.empty(), "is for %s, not %s".formatted(source, claims.source()));
    }
    Fitting fitting = new Fitting(conditions, claims);
    return fitting
        .parts()
        .map(parts -> given(claims, parts))
        .orElseGet(() -> new Judgement(name, false, Optional.empty(), unmet(fitting, claims)));
  }

  private static String unmet(Fitting fitting, Claims claims) {
    Condition condition = fitting.unmet();
    List<String> values = claims.of(condition.claim());
    String some = String.join(", ", values.subList(0, Math.min(values.size(), MOST_TOLD)));
    return values.isEmpty()
        ? "wants %s, and there is no such claim".formatted(condition)
        : "wants %s, unlike each of %d, as %s".formatted(condition, values.size(), some);
  }

  private Judgement given(Claims claims, Map<String, String> found) {
    Map<String, String> parts = new HashMap<>(found);
    parts.put(SUBJECT, claims.subject());
    try {
      Standing standing =
          new Standing(
              role,
              tenant.fill(parts),
              user.fill(parts),
              fqan.map(one -> new Fqan(one.fill(parts))));
      return new Judgement(name, true, Optional.of(standing), "fits: " + conditions);
    } catch (IllegalArgumentException e) {
      return new Judgement(
          name, true, Optional.empty(), "fits, and gives nothing: " + e.getMessage());
    }
  }
}
