// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.json.Schema;
import io.outboard.lease.LeaseException;
import io.outboard.lease.account.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/** One operation: its parameters, the rights that it needs, its answers, and its code. */
public final class Operation {
  /** Does it. */
  @FunctionalInterface
  interface Work {
    public Reply run(Call call) throws Problem, LeaseException;
  }

  /** A value behind the path, which may be missing. */
  record Parameter(Schema schema, String description) {}

  private final String method;
  private final String path;
  private final String id;
  private String summary = "";
  private Optional<Role> role = Optional.empty();
  private boolean withSecret;
  private boolean regular;
  private final SequencedMap<String, Parameter> query = new LinkedHashMap<>();
  private Optional<Schema.Fields> body = Optional.empty();
  private int status = Reply.OK;
  private String type = Reply.JSON;
  private Schema answer = new Schema.Anything();
  private final SortedSet<Integer> problems =
      new TreeSet<>(List.of(Problem.BAD_REQUEST, Problem.TOO_MANY));
  private Work work;

  private Operation(String method, String path, String id) {
    this.method = method;
    this.path = path;
    this.id = id;
  }

  /** One that changes nothing. */
  static Operation get(String path, String id) {
    return new Operation("GET", path, id);
  }

  /** One that changes something. */
  static Operation post(String path, String id) {
    return new Operation("POST", path, id);
  }

  /** One that sets something. */
  static Operation put(String path, String id) {
    return new Operation("PUT", path, id);
  }

  /** For people. */
  Operation says(String text) {
    summary = text;
    return this;
  }

  /** Only who has this role may; without it everybody. */
  Operation by(Role least) {
    role = Optional.of(least);
    return mayFail(Problem.UNAUTHORIZED, Problem.FORBIDDEN, Problem.UNAVAILABLE);
  }

  /** Only a node of the pool may, that of the path, with its own secret. */
  Operation byNode() {
    return withSecret().mayFail(Problem.UNAUTHORIZED, Problem.UNAVAILABLE);
  }

  /** It is told the secret of the request. */
  Operation withSecret() {
    withSecret = true;
    return this;
  }

  /** Nodes do it all the time, at nobody's wish. */
  Operation regularly() {
    regular = true;
    return this;
  }

  /** With a value behind the path. */
  Operation with(String name, Schema schema, String description) {
    query.put(name, new Parameter(schema, description));
    return this;
  }

  /** With a body. */
  Operation wants(Schema.Fields fields) {
    body = Optional.of(fields);
    return mayFail(Problem.TOO_LARGE, Problem.WRONG_TYPE);
  }

  /** Answers with JSON. */
  Operation answers(int with, Schema schema) {
    status = with;
    answer = schema;
    return this;
  }

  /** Answers with text of another type. */
  Operation answersText(String media) {
    type = media;
    answer = Schema.text();
    return this;
  }

  /** May answer with these problems too. */
  Operation mayFail(Integer... more) {
    problems.addAll(List.of(more));
    return this;
  }

  /** How it is done. */
  Operation does(Work how) {
    work = how;
    return this;
  }

  String method() {
    return method;
  }

  /** Its path; a name in braces stands for a value. */
  String path() {
    return path;
  }

  /** The names of the values in the path. */
  List<String> places() {
    List<String> places = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      if (part.startsWith("{")) {
        places.add(part.substring(1, part.length() - 1));
      }
    }
    return places;
  }

  public String id() {
    return id;
  }

  String summary() {
    return summary;
  }

  public Optional<Role> role() {
    return role;
  }

  SequencedMap<String, Parameter> query() {
    return query;
  }

  Optional<Schema.Fields> body() {
    return body;
  }

  /** The status of an answer that is no problem. */
  int status() {
    return status;
  }

  String type() {
    return type;
  }

  Schema answer() {
    return answer;
  }

  SortedSet<Integer> problems() {
    SortedSet<Integer> all = new TreeSet<>(problems);
    if (takesKey()) {
      all.addAll(List.of(Problem.CONFLICT, Problem.IMPOSSIBLE));
    }
    return all;
  }

  /** Whether it is told the secret of the request. */
  public boolean wantsSecret() {
    return withSecret;
  }

  /** Whether a key of its caller's says which request it is. */
  public boolean takesKey() {
    return method.equals("POST") && role.isPresent();
  }

  /** Whether it changes something at somebody's wish. */
  public boolean changes() {
    return !method.equals("GET") && !regular;
  }

  public Reply run(Call call) throws Problem, LeaseException {
    return work.run(call);
  }
}
