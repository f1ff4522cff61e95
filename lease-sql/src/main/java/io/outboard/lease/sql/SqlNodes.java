// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sql;

import io.outboard.lease.Architecture;
import io.outboard.lease.Gpu;
import io.outboard.lease.node.LeasePart;
import io.outboard.lease.node.NodeStore;
import io.outboard.lease.node.PoolNode;
import io.outboard.lease.node.Terms;
import io.outboard.lease.store.StoreException;
import io.outboard.wire.Bytes;
import io.outboard.wire.Token;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The nodes of a pool beside the leases of a {@link SqlLeaseStore}. */
final class SqlNodes implements NodeStore {
  /** Facts: the term of the last broker that has begun here, and the last that was obeyed. */
  private static final String TERM = "term";

  private static final String FOLLOWED = "followed";

  /** A fact: the authority of the pool, with its key. */
  private static final String AUTHORITY = "authority";

  /** The beginning of a fact's name, before a lease's id: the parts of it that others have. */
  private static final String PARTS = "parts ";

  private final Sql sql;
  private final Facts facts;

  SqlNodes(Sql sql, Facts facts) {
    this.sql = sql;
    this.facts = facts;
  }

  @Override
  public void invite(String name, Bytes hash, Instant until) {
    int unused =
        sql.whole(
            () -> {
              int changed =
                  sql.run(
                      "INSERT INTO node (name, hash, joined, until) VALUES (?, ?, 0, ?)"
                          + " ON CONFLICT (name) DO UPDATE SET hash = excluded.hash,"
                          + " until = excluded.until WHERE node.joined = 0",
                      name,
                      hash.hex(),
                      until.toEpochMilli());
              return changed(changed, "node " + name + " has joined already: remove it first");
            });
  }

  private static int changed(int rows, String otherwise) {
    if (rows == 0) {
      throw new StoreException(otherwise);
    }
    return rows;
  }

  @Override
  public void join(String name, Bytes invitation, Bytes credential, Instant now) {
    int unused =
        sql.whole(
            () -> {
              int changed =
                  sql.run(
                      "UPDATE node SET joined = 1, hash = ?"
                          + " WHERE name = ? AND hash = ? AND joined = 0 AND until > ?",
                      credential.hex(),
                      name,
                      invitation.hex(),
                      now.toEpochMilli());
              return changed(changed, "no node " + name + " is invited with this token");
            });
  }

  @Override
  public void remove(String name) {
    int unused =
        sql.whole(
            () -> {
              sql.run("DELETE FROM node_gpu WHERE node = ?", name);
              int changed = sql.run("DELETE FROM node WHERE name = ?", name);
              return changed(changed, "there is no node " + name);
            });
  }

  @Override
  public Map<String, Bytes> credentials() {
    return sql.whole(
        () ->
            sql
                .ask(
                    "SELECT name, hash FROM node WHERE joined = 1",
                    row ->
                        Map.entry(
                            row.getString(1), Bytes.of(HexFormat.of().parseHex(row.getString(2)))))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  @Override
  public String authority(Supplier<String> fresh) {
    return sql.whole(
        () -> {
          Optional<String> kept = facts.get(AUTHORITY);
          if (kept.isPresent()) {
            return kept.get();
          }
          String made = fresh.get();
          facts.put(AUTHORITY, made);
          return made;
        });
  }

  @Override
  public List<PoolNode> all() {
    return sql.whole(
        () -> {
          List<PoolNode> nodes = new ArrayList<>();
          for (PoolNode node : sql.ask("SELECT * FROM node ORDER BY name", SqlNodes::node)) {
            nodes.add(
                new PoolNode(node.name(), node.joined(), node.endpoints(), gpus(node.name())));
          }
          return nodes;
        });
  }

  private static PoolNode node(ResultSet row) throws SQLException {
    List<String> endpoints =
        Stream.of(row.getString("endpoints").split(" ")).filter(one -> !one.isEmpty()).toList();
    return new PoolNode(row.getString("name"), row.getInt("joined") != 0, endpoints, List.of());
  }

  private List<Gpu> gpus(String node) throws SQLException {
    return LeaseRows.found(
        sql.ask(
            "SELECT * FROM node_gpu WHERE node = ? ORDER BY number",
            row -> LeaseRows.readable(row, one -> LeaseRows.gpu(one, "number")),
            node));
  }

  @Override
  public void describe(String name, List<String> endpoints, List<Gpu> gpus) {
    int unused =
        sql.whole(
            () -> {
              int changed =
                  sql.run(
                      "UPDATE node SET endpoints = ? WHERE name = ?",
                      String.join(" ", endpoints),
                      name);
              sql.run("DELETE FROM node_gpu WHERE node = ?", name);
              for (Gpu gpu : gpus) {
                add(name, gpu);
              }
              return changed(changed, "there is no node " + name);
            });
  }

  private void add(String node, Gpu gpu) throws SQLException {
    sql.run(
        "INSERT INTO node_gpu (node, number, uuid, model, size, arch) VALUES (?, ?, ?, ?, ?, ?)",
        node,
        gpu.number(),
        gpu.uuid(),
        gpu.model(),
        gpu.memory(),
        Architecture.label(gpu.architecture()));
  }

  @Override
  public Map<String, List<LeasePart>> parts() {
    return sql.whole(
        () ->
            facts.beginning(PARTS).entrySet().stream()
                .collect(
                    Collectors.toMap(
                        Map.Entry::getKey,
                        fact -> fact.getValue().lines().map(SqlNodes::part).toList())));
  }

  @Override
  public void parts(String lease, List<LeasePart> others) {
    int unused =
        sql.whole(
            () -> {
              if (others.isEmpty()) {
                facts.remove(PARTS + lease);
              } else {
                facts.put(
                    PARTS + lease,
                    others.stream().map(SqlNodes::text).collect(Collectors.joining("\n")));
              }
              return 0;
            });
  }

  /** None of these has a space in it. */
  private static String text(LeasePart part) {
    String token = part.token().map(Token::digits).orElse("");
    return String.join(" ", part.node(), part.endpoint(), token);
  }

  private static LeasePart part(String line) {
    String[] words = line.split(" ", -1);
    return new LeasePart(
        words[0],
        words[1],
        Optional.of(words[2]).filter(text -> !text.isEmpty()).map(Token::parse));
  }

  @Override
  public long lead(long above) {
    return sql.whole(
        () -> {
          long term = Terms.above(Math.max(fact(TERM), above));
          facts.put(TERM, Long.toString(term));
          return term;
        });
  }

  @Override
  public long followed() {
    return sql.whole(() -> fact(FOLLOWED));
  }

  @Override
  public boolean follow(long term) {
    return sql.whole(
        () -> {
          long followed = fact(FOLLOWED);
          if (term < followed || Terms.fork(term, followed)) {
            return false;
          }
          if (term > followed) {
            facts.put(FOLLOWED, Long.toString(term));
          }
          return true;
        });
  }

  private long fact(String name) throws SQLException {
    return Long.parseLong(facts.get(name).orElse("0"));
  }
}
