// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.lease.Parameter;
import io.outboard.lease.account.AccessToken;
import io.outboard.lease.account.Accounts;
import io.outboard.lease.account.Fqan;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.lease.account.Tenant;
import io.outboard.lease.account.Tenants;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** Answers what operators ask of tokens and tenants. */
final class AccountCommands {
  private final Accounts accounts;
  private final Tenants tenants;

  AccountCommands(Accounts accounts, Tenants tenants) {
    this.accounts = accounts;
    this.tenants = tenants;
  }

  Stream<Form> issue(Form form) {
    Accounts.Issued issued =
        accounts.issue(
            standing(form),
            form.get("note"),
            Parameter.SECONDS.seconds(form).orElse(Duration.ZERO));
    return Stream.of(row(issued.token()).with("secret", issued.secret()));
  }

  private static Standing standing(Form form) {
    return new Standing(
        Role.of(form.get("role")),
        form.get("tenant"),
        form.get("user"),
        Optional.of(form.get("fqan")).filter(text -> !text.isEmpty()).map(Fqan::new));
  }

  Stream<Form> tokens() {
    return accounts.tokens().stream().map(AccountCommands::row);
  }

  Stream<Form> revoke(String id) throws LeaseException {
    return Stream.of(row(accounts.revoke(id)));
  }

  private static Form row(AccessToken token) {
    return new Form()
        .with("id", token.id())
        .with("role", token.standing().role().label())
        .with("tenant", token.standing().tenant())
        .with("user", token.standing().user())
        .with("fqan", token.standing().fqanText())
        .with("note", token.note())
        .with("created", token.created().toEpochMilli())
        .with("expires", token.expires().toEpochMilli())
        .with("revoked", token.revoked());
  }

  Stream<Form> set(Form form) {
    long seconds = Parameter.BUDGET.of(form, -1);
    Optional<Duration> budget =
        seconds < 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    Tenant tenant = new Tenant(form.get("name"), budget);
    tenants.set(tenant);
    return Stream.of(row(tenant));
  }

  Stream<Form> tenants() {
    return tenants.all().stream().map(this::row);
  }

  /** Times are in seconds; a budget that has no limit is empty. */
  private Form row(Tenant tenant) {
    return new Form()
        .with("name", tenant.name())
        .with("budget", tenant.budget().map(budget -> "" + budget.toSeconds()).orElse(""))
        .with("spent", tenants.spent(tenant.name()).toSeconds());
  }
}
