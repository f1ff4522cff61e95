// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.json.Ordered;
import io.outboard.api.json.Schema;
import io.outboard.api.node.NodeJson;
import io.outboard.communicator.certificate.Issuer;
import io.outboard.lease.LeaseException;
import io.outboard.lease.node.NodeOrders;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Operations of the nodes of a pool: they join, ask for orders, and report. */
public final class MemberOperations {
  /** The longest time that somebody waits for orders, in seconds. */
  public static final int MOST_WAIT = 10;

  private static final String PATH = "/v1/pool/{node}";
  private static final String CERTIFICATE = "certificate";

  /** A key on P-256 has 124 characters. */
  private static final Schema KEY =
      new Schema.Text(256, Optional.of(Pattern.compile("[A-Za-z0-9+/=]*")), List.of(), "");

  private final Pool pool;

  private MemberOperations(Pool pool) {
    this.pool = pool;
  }

  public static List<Operation> of(Pool pool) {
    MemberOperations all = new MemberOperations(pool);
    return List.of(
        Operation.post(PATH + "/join", "joinPool")
            .says(
                "Joins the pool, once, with the token of 'outboard node invite': over https with a"
                    + " public key, over http of the same machine without one.")
            .byNode()
            .wants(
                new Schema.Fields()
                    .may("key", KEY, "of the node, on P-256, as in a certificate; in base64"))
            .answers(
                Reply.CREATED,
                new Schema.Fields()
                    .may(CERTIFICATE, Schema.text(), "of the key, and its authority's, in PEM")
                    .may("secret", Schema.text(), "for the Authorization header, without a key"))
            .does(all::join),
        Operation.post(PATH + "/renew", "renewNode")
            .says("The next certificate of the node's key; over https, with the present one.")
            .byNode()
            .regularly()
            .answers(
                Reply.OK,
                new Schema.Fields()
                    .with(CERTIFICATE, Schema.text(), "of the key, and its authority's, in PEM"))
            .does(all::renew),
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
    String name = call.path().get("node");
    String key = call.text("key");
    if (key.isEmpty() == call.origin().encrypted()) {
      throw new Problem(
          Problem.BAD_REQUEST, "a node joins with a key over https, and without one over http");
    }
    try {
      return Reply.of(
          Reply.CREATED,
          key.isEmpty()
              ? Ordered.of("secret", pool.members().join(name, call.secret()))
              : certificate(pool.members().join(name, call.secret(), decoded(key))));
    } catch (LeaseException e) {
      throw new Problem(Problem.UNAUTHORIZED, e.getMessage());
    }
  }

  private static byte[] decoded(String text) throws Problem {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new Problem(Problem.BAD_REQUEST, "the key is not in base64");
    }
  }

  private static Map<String, Object> certificate(List<X509Certificate> chain) {
    try {
      return Ordered.of(CERTIFICATE, Issuer.certificatesAsPem(chain));
    } catch (IOException e) {
      throw new IllegalStateException("a certificate that was made cannot be written", e);
    }
  }

  /** The name of the node that asks; a secret that came over a network proves nothing. */
  private String node(Call call) throws Problem {
    String name = call.path().get("node");
    boolean known =
        call.origin().encrypted()
            ? call.origin().certificate().filter(own -> isOf(name, own)).isPresent()
            : pool.members().check(name, call.secret());
    if (!known) {
      throw new Problem(Problem.UNAUTHORIZED, "this is no node of the pool");
    }
    return name;
  }

  private boolean isOf(String name, X509Certificate certificate) {
    return pool.members().check(name, certificate);
  }

  private Reply renew(Call call) throws Problem {
    String name = node(call);
    X509Certificate own =
        call.origin()
            .certificate()
            .orElseThrow(
                () -> new Problem(Problem.BAD_REQUEST, "over http a node has no certificate"));
    return Reply.of(certificate(pool.members().renew(name, own)));
  }

  private Reply orders(Call call) throws Problem {
    String node = node(call);
    long term = (Long) call.query().getOrDefault("term", 0L);
    long version = (Long) call.query().getOrDefault("version", 0L);
    Duration wait = Duration.ofSeconds((Long) call.query().getOrDefault("wait", 0L));
    NodeOrders orders = pool.nodes().orders(node, term, version, wait);
    // Removed meanwhile, it is to end nothing: it is told so in place of having no lease.
    String unused = node(call);
    return Reply.of(NodeJson.of(orders));
  }

  private Reply report(Call call) throws Problem {
    String node = node(call);
    pool.nodes().report(node, NodeJson.report(call.body()));
    return Reply.of(Ordered.of("version", call.body().get("version")));
  }
}
