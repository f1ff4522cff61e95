// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.json.Schema;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.lease.Parameter;
import io.outboard.lease.account.Role;
import io.outboard.pool.Pool;
import java.util.List;
import java.util.Map;

/** Operations of operators on tokens and tenants. */
public final class AccountOperations {
  /** The name of a tenant. */
  static final Schema TENANT = Schema.of(Parameter.TENANT);

  private static final View TOKEN =
      new View()
          .text("id", "by which it is named")
          .text("role", "reader, user or operator")
          .text("tenant", "whose leases it is for; empty for all")
          .text("user", "global name of its holder; empty where nobody has said one")
          .text("fqan", "virtual organisation, group and role of its holder")
          .text("note", "what it is for")
          .moment("created", "when it was made")
          .moment("expires", "when it ends")
          .flag("revoked", "whether it was taken back");
  private static final View TENANT_VIEW =
      new View()
          .text("name", "by which leases name it")
          .optional("budget", "seconds of a whole GPU that it may have in all; null for no limit")
          .count("spent", "seconds that it has had");

  private final Pool pool;

  private AccountOperations(Pool pool) {
    this.pool = pool;
  }

  public static List<Operation> of(Pool pool) {
    AccountOperations accounts = new AccountOperations(pool);
    return List.of(
        Operation.get("/v1/tokens", "listTokens")
            .says("The tokens, without their secrets, which nobody has but their holders.")
            .by(Role.OPERATOR)
            .answers(Reply.OK, TOKEN.many("tokens"))
            .does(_ -> accounts.tokens()),
        Operation.post("/v1/tokens", "createToken")
            .says("Makes a token; its secret is told this once.")
            .by(Role.OPERATOR)
            .wants(wanted())
            .mayFail(Problem.IMPOSSIBLE)
            .answers(
                Reply.CREATED,
                TOKEN.schema().with("secret", Schema.text(), "for the Authorization header"))
            .does(accounts::create),
        Operation.post("/v1/tokens/{token}/revoke", "revokeToken")
            .says("Takes a token back.")
            .by(Role.OPERATOR)
            .mayFail(Problem.NOT_FOUND)
            .answers(Reply.OK, TOKEN.schema())
            .does(accounts::revoke),
        Operation.get("/v1/tenants", "listTenants")
            .says("The tenants of which something is set.")
            .by(Role.OPERATOR)
            .answers(Reply.OK, TENANT_VIEW.many("tenants"))
            .does(_ -> accounts.tenants()),
        Operation.put("/v1/tenants/{tenant}", "setTenant")
            .says("Sets the budget of a tenant; without one it has no limit.")
            .by(Role.OPERATOR)
            .wants(
                new Schema.Fields()
                    .may(
                        "budget",
                        Schema.of(Parameter.BUDGET),
                        "seconds of a whole GPU; -1, as without it, for no limit"))
            .answers(Reply.OK, TENANT_VIEW.schema())
            .does(accounts::set));
  }

  private static Schema.Fields wanted() {
    return new Schema.Fields()
        .with("role", Schema.of(Parameter.ROLE), "what it may")
        .with("seconds", Schema.of(Parameter.SECONDS), "how long")
        .may("tenant", TENANT, "whose leases it is for; a user's must have one")
        .may("user", Schema.of(Parameter.USER), "global name of its holder, for accounting")
        .may(
            "fqan", Schema.of(Parameter.FQAN), "virtual organisation, group and role of its holder")
        .may("note", Schema.of(Parameter.NOTE), "what it is for");
  }

  private Reply tokens() throws LeaseException {
    return TOKEN.all("tokens", pool.ask("tokens", new Form()));
  }

  private Reply create(Call call) throws Problem, LeaseException {
    Form wanted =
        new Form()
            .with("role", call.text("role"))
            .with("tenant", call.text("tenant"))
            .with("user", call.text("user"))
            .with("fqan", call.text("fqan"))
            .with("note", call.text("note"))
            .with("seconds", call.number("seconds", 0));
    try {
      Form issued = pool.ask("token-create", wanted).getFirst();
      Map<String, Object> token = TOKEN.of(issued);
      token.put("secret", issued.get("secret"));
      return Reply.of(Reply.CREATED, token);
    } catch (IllegalArgumentException e) {
      throw new Problem(Problem.IMPOSSIBLE, e.getMessage());
    }
  }

  private Reply revoke(Call call) throws Problem {
    try {
      Form id = new Form().with("id", call.path().get("token"));
      return Reply.of(TOKEN.of(pool.ask("token-revoke", id).getFirst()));
    } catch (LeaseException e) {
      throw new Problem(Problem.NOT_FOUND, e.getMessage());
    }
  }

  private Reply tenants() throws LeaseException {
    return TENANT_VIEW.all("tenants", pool.ask("tenants", new Form()));
  }

  private Reply set(Call call) throws Problem, LeaseException {
    Form form = new Form().with("name", name(call)).with("budget", call.number("budget", -1));
    return Reply.of(TENANT_VIEW.of(pool.ask("tenant-set", form).getFirst()));
  }

  private static String name(Call call) throws Problem {
    String name = call.path().get("tenant");
    StringBuilder wrong = new StringBuilder();
    TENANT.check("the tenant", name, wrong::append);
    if (!wrong.isEmpty()) {
      throw new Problem(Problem.BAD_REQUEST, wrong.toString());
    }
    return name;
  }
}
