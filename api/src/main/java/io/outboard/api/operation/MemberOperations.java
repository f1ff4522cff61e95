// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.json.Ordered;
import io.outboard.api.json.Schema;
import io.outboard.api.node.NodeJson;
import io.outboard.lease.LeaseException;
import io.outboard.pool.Pool;
import java.time.Duration;
import java.util.List;

/** Operations of the nodes of a pool: they join, ask for orders, and report. */
public final class MemberOperations {
  /** The longest time that somebody waits for orders, in seconds. */
  public static final int MOST_WAIT = 10;

  private static final String PATH = "/v1/pool/{node}";

  private final Pool pool;

  private MemberOperations(Pool pool) {
    this.pool = pool;
  }

  public static List<Operation> of(Pool pool) {
    MemberOperations all = new MemberOperations(pool);
    return List.of(
        Operation.post(PATH + "/join", "joinPool")
            .says("Joins the pool, once, with the token of 'outboard node invite'.")
            .byNode()
            .answers(
                Reply.CREATED,
                new Schema.Fields()
                    .with("secret", Schema.text(), "of the node, for the Authorization header"))
            .does(all::join),
        Operation.get(PATH + "/orders", "getOrders")
            .says("All leases that the node is to have, once they are not those that it knows.")
            .byNode()
            .with("term", Schema.count(), "of the orders that it knows; by default 0")
            .with("version", Schema.count(), "of the orders that it knows; by default 0")
            .with(
                "wait",
                new Schema.Whole(0, MOST_WAIT),
                "seconds after which they are answered anyway; by default 0")
            .answers(Reply.OK, NodeJson.ordersSchema())
            .does(all::orders),
        Operation.post(PATH + "/report", "reportNode")
            .says("Says what the node has, and what really runs there.")
            .byNode()
            .regularly()
            .wants(NodeJson.reportSchema())
            .answers(
                Reply.OK,
                new Schema.Fields()
                    .with("version", Schema.count(), "of the last orders that it has carried out"))
            .does(all::report));
  }

  private Reply join(Call call) throws Problem {
    try {
      String secret = pool.members().join(call.path().get("node"), call.secret());
      return Reply.of(Reply.CREATED, Ordered.of("secret", secret));
    } catch (LeaseException e) {
      throw new Problem(Problem.UNAUTHORIZED, e.getMessage());
    }
  }

  private String node(Call call) throws Problem {
    String name = call.path().get("node");
    if (!pool.members().check(name, call.secret())) {
      throw new Problem(Problem.UNAUTHORIZED, "this is no node of the pool");
    }
    return name;
  }

  private Reply orders(Call call) throws Problem {
    String node = node(call);
    long term = (Long) call.query().getOrDefault("term", 0L);
    long version = (Long) call.query().getOrDefault("version", 0L);
    Duration wait = Duration.ofSeconds((Long) call.query().getOrDefault("wait", 0L));
    return Reply.of(NodeJson.of(pool.nodes().orders(node, term, version, wait)));
  }

  private Reply report(Call call) throws Problem {
    String node = node(call);
    pool.nodes().report(node, NodeJson.report(call.body()));
    return Reply.of(Ordered.of("version", call.body().get("version")));
  }
}
