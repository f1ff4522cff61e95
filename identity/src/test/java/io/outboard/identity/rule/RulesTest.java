// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.account.Role;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RulesTest {
  private static Rule rule(String name, String... keysAndValues) {
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      values.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return Rule.of(name, values);
  }

  private static Rule ofGroup(String group, String tenant) {
    return rule(group, "from", "people", "claim.groups", group, "tenant", tenant, "role", "user");
  }

  private static Claims claims(String... groups) {
    return new Claims("people", "ada", Map.of("groups", List.of(groups)));
  }

  @Test
  void theFirstRuleThatFitsDecides() {
    Rules rules = new Rules(List.of(ofGroup("a", "one"), ofGroup("b", "two"), ofGroup("a", "3")));
    assertEquals("one", rules.decide(claims("b", "a")).standing().orElseThrow().tenant());
    assertEquals("two", rules.decide(claims("b")).standing().orElseThrow().tenant());
    assertEquals(2, rules.decide(claims("b")).judgements().size());
  }

  @Test
  void whereNoneFitsNothingIsGranted() {
    Rules rules = new Rules(List.of(ofGroup("a", "one")));
    for (Claims claims :
        List.of(
            claims(),
            claims("A", "a ", "aa", ""),
            new Claims("people", "ada", Map.of()),
            new Claims("others", "ada", Map.of("groups", List.of("a"))))) {
      assertEquals(Optional.empty(), rules.decide(claims).standing(), claims::toString);
    }
    assertEquals(Optional.empty(), new Rules(List.of()).decide(claims("a")).standing());
  }

  /** A later rule does not mend what the first one that fits cannot give. */
  @Test
  void aTenantThatIsNoneIsNotGiven() {
    Rules rules = new Rules(List.of(ofGroup("x{vo}", "{vo}"), ofGroup("x{vo}", "all")));
    Rules.Decision decision = rules.decide(claims("x.hidden"));
    assertEquals(Optional.empty(), decision.standing());
    assertEquals(1, decision.judgements().size());
    assertTrue(decision.judgements().getLast().why().contains("gives nothing"));
    assertEquals(Optional.empty(), rules.decide(claims("x" + "y".repeat(65))).standing());
  }

  @Test
  void allConditionsAreMetByTheSameParts() {
    Rule both =
        rule(
            "both",
            "from",
            "people",
            "claim.groups",
            "group:{vo}",
            "claim.roles",
            "{vo}:admin",
            "tenant",
            "{vo}",
            "role",
            "reader",
            "fqan",
            "/{vo}/Role=admin");
    Rules rules = new Rules(List.of(both));
    Claims mixed =
        new Claims(
            "people",
            "ada",
            Map.of(
                "groups", List.of("group:a", "group:b"), "roles", List.of("c:admin", "b:admin")));
    assertEquals("b", rules.decide(mixed).standing().orElseThrow().tenant());
    assertEquals(Role.READER, rules.decide(mixed).standing().orElseThrow().role());
    assertEquals("/b/Role=admin", rules.decide(mixed).standing().orElseThrow().fqanText());
    Claims apart =
        new Claims(
            "people", "ada", Map.of("groups", List.of("group:a"), "roles", List.of("b:admin")));
    assertFalse(rules.decide(apart).judgements().getLast().fits());
  }

  @Test
  void manyValuesTakeBoundedTime() {
    List<String> many = Collections.nCopies(Claims.MOST, "a");
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, List<String>> claims = new LinkedHashMap<>();
    for (int i = 0; i < 8; i++) {
      values.put("claim.c" + i, "{p" + i + "}");
      claims.put("c" + i, many);
    }
    values.putAll(Map.of("claim.last", "never", "from", "s", "tenant", "t", "role", "user"));
    claims.put("last", List.of("ever"));
    Rules rules = new Rules(List.of(Rule.of("slow", values)));
    assertEquals(Optional.empty(), rules.decide(new Claims("s", "x", claims)).standing());
  }

  @Test
  void nestedClaimsHaveBothNames() {
    Claims claims =
        Claims.of(
            "people",
            "ada",
            Map.of("realm_access", Map.of("roles", List.of("gpu", 7L)), "verified", true));
    assertEquals(List.of("gpu"), claims.of("realm_access.roles"));
    assertEquals(List.of("true"), claims.of("verified"));
  }

  @Test
  void longAndManyValuesAreLeftOut() {
    String longest = "x".repeat(Claims.LONGEST);
    Claims claims =
        Claims.of("s", "x", Map.of("a", List.of(longest + "x", longest), "b", Map.of()));
    assertEquals(List.of(longest), claims.of("a"));
    Claims many = Claims.of("s", "x", Map.of("a", Collections.nCopies(5_000, "v")));
    assertEquals(Claims.MOST, many.of("a").size());
  }

  @Test
  void rulesThatCannotBeMeantAreRefused() {
    refused("it wants 'tenant'", "from", "s", "claim.a", "b", "role", "user");
    refused("were for all", "from", "s", "tenant", "t", "role", "user");
    refused("not operator", "from", "s", "claim.a", "b", "tenant", "t", "role", "operator");
    refused("no part of a claim", "from", "s", "claim.a", "b", "tenant", "{vo}", "role", "user");
    refused("the tenant has", "from", "s", "claim.a", "b", "tenant", "a b", "role", "user");
    refused("brace", "from", "s", "claim.a", "{b", "tenant", "t", "role", "user");
    refused("there is something", "from", "s", "claim.a", "{b}{c}", "tenant", "t", "role", "user");
    refused(
        "no 'colour'", "from", "s", "claim.a", "b", "tenant", "t", "role", "user", "colour", "x");
    refused("an FQAN is", "from", "s", "claim.a", "b", "tenant", "t", "role", "user", "fqan", "vo");
    refused("without a claim", "from", "s", "claim.a", "{subject}", "tenant", "t", "role", "user");
  }

  private static void refused(String why, String... keysAndValues) {
    IllegalArgumentException told =
        assertThrows(IllegalArgumentException.class, () -> rule("r", keysAndValues));
    assertTrue(told.getMessage().contains(why), told.getMessage());
  }
}
