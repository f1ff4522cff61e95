// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.json.Ordered;
import io.outboard.api.json.Schema;
import io.outboard.lease.LeaseException;
import io.outboard.lease.account.Caller;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.pool.Pool;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Operations of everybody on what the office knows of them. */
public final class IdentityOperations {
  private final Pool pool;

  private IdentityOperations(Pool pool) {
    this.pool = pool;
  }

  public static List<Operation> of(Pool pool) {
    IdentityOperations identity = new IdentityOperations(pool);
    return List.of(
        Operation.get("/v1/identity", "getIdentity")
            .says("Who asks, and what that is to the office.")
            .by(Role.READER)
            .answers(Reply.OK, schema())
            .does(IdentityOperations::tell),
        Operation.post("/v1/identity/logout", "signOut")
            .says("Has the token of this request be refused from now on.")
            .by(Role.READER)
            .withSecret()
            .mayFail(Problem.CONFLICT)
            .answers(Reply.OK, schema())
            .does(identity::signOut));
  }

  private static Schema.Fields schema() {
    return new Schema.Fields()
        .with("id", Schema.text(), "by which the audit log names who asks")
        .with("role", Schema.text(), "reader, user or operator")
        .with("tenant", Schema.text(), "whose leases it is for; empty for all")
        .with("user", Schema.text(), "global name; empty where nobody vouches for one")
        .with("vo", Schema.text(), "virtual organisation; empty where nobody vouches for one")
        .with("fqan", Schema.text(), "the same with group and role")
        .with("until", Schema.moment(), "when the token ends");
  }

  private static Reply tell(Call call) {
    Caller caller = call.caller().orElseThrow();
    Standing standing = caller.standing();
    return Reply.of(
        Ordered.of(
            "id", caller.id(),
            "role", standing.role().label(),
            "tenant", standing.tenant(),
            "user", standing.user(),
            "vo", standing.vo(),
            "fqan", standing.fqanText(),
            "until", caller.until().truncatedTo(ChronoUnit.MILLIS).toString()));
  }

  private Reply signOut(Call call) throws LeaseException {
    pool.accounts().signOut(call.caller().orElseThrow(), call.secret());
    return tell(call);
  }
}
