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
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Operations of everybody on what the office knows of them. */
public final class IdentityOperations {
  private static final int MOST_CODE = 4_096;
  private static final int MOST_BACK = 512;

  private final Pool pool;
  private final SignIns signIns;

  private IdentityOperations(Pool pool, SignIns signIns) {
    this.pool = pool;
    this.signIns = signIns;
  }

  public static List<Operation> of(Pool pool, SignIns signIns) {
    IdentityOperations identity = new IdentityOperations(pool, signIns);
    return List.of(
        Operation.get("/v1/sign-in", "listSignIns")
            .says("The providers at which people sign in with a browser.")
            .answers(
                Reply.OK,
                new Schema.Fields()
                    .with("providers", new Schema.Many(Schema.text()), "their names"))
            .does(_ -> Reply.of(Ordered.of("providers", signIns.names()))),
        Operation.get("/v1/sign-in/{provider}", "beginSignIn")
            .says("Where somebody signs in at a provider, for a code (RFC 7636, S256).")
            .mayFail(Problem.NOT_FOUND, Problem.UNAVAILABLE)
            .answers(
                Reply.OK,
                new Schema.Fields()
                    .with("page", Schema.text(), "of the provider's")
                    .with("client", Schema.text(), "its client_id for the console")
                    .with("scope", Schema.text(), "that is asked for"))
            .does(identity::begin),
        Operation.post("/v1/sign-in/{provider}", "endSignIn")
            .says("The access token of somebody who has signed in there.")
            .regularly()
            .wants(
                new Schema.Fields()
                    .with("code", Schema.text(MOST_CODE), "of the provider's")
                    .with("verifier", Schema.text(128), "whose challenge the provider was shown")
                    .with("back", Schema.text(MOST_BACK), "where the provider has sent the code"))
            .mayFail(Problem.NOT_FOUND, Problem.CONFLICT)
            .answers(
                Reply.OK,
                new Schema.Fields().with("token", Schema.text(), "for the Authorization header"))
            .does(identity::end),
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

  private Reply begin(Call call) throws Problem {
    try {
      SignIns.Entrance entrance = signIns.entrance(provider(call));
      return Reply.of(
          Ordered.of(
              "page", entrance.page().toString(),
              "client", entrance.client(),
              "scope", entrance.scope()));
    } catch (IOException e) {
      throw new Problem(Problem.UNAVAILABLE, e.getMessage());
    }
  }

  private String provider(Call call) throws Problem {
    String name = call.path().get("provider");
    if (!signIns.names().contains(name)) {
      throw new Problem(Problem.NOT_FOUND, "there is no provider of that name");
    }
    return name;
  }

  private Reply end(Call call) throws Problem {
    SignIns.Code code =
        new SignIns.Code(call.text("code"), call.text("verifier"), call.text("back"));
    try {
      return Reply.of(Ordered.of("token", signIns.token(provider(call), code)));
    } catch (IOException e) {
      throw new Problem(Problem.CONFLICT, e.getMessage());
    }
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
