// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.client.ControlConnection;
import io.outboard.communicator.Endpoint;
import io.outboard.lease.Form;
import io.outboard.wire.Control;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The leases of a backend, asked for as the command does. */
public final class Leases {
  private final Backend backend;

  Leases(Backend backend) {
    this.backend = backend;
  }

  /** Asks; the rows of the answer are complete. */
  List<Form> ask(String verb, Form form) throws IOException {
    return ask(backend.socket(), verb, form);
  }

  /** The same of a backend, or a broker, at a socket: without the command's start. */
  static List<Form> ask(Path socket, String verb, Form form) throws IOException {
    Endpoint endpoint = Endpoint.unix(socket.toString());
    try (ControlConnection connection = new ControlConnection(endpoint, Map.of())) {
      List<Control> answer = connection.ask(verb + "?" + form);
      Control end = answer.removeLast();
      assertEquals(Control.Kind.DONE, end.kind(), end::text);
      return answer.stream().map(Control::text).map(Form::parse).toList();
    }
  }

  /** Asks for a lease of an hour. */
  Form request(Form wanted) throws IOException {
    return ask("lease", wanted.with("seconds", 3600)).getFirst();
  }

  /** A lease as it is now. */
  Form find(Form lease) throws IOException {
    return change("find", lease);
  }

  /** The rows of a lease in the ledger. */
  List<Form> usage(Form lease) throws IOException {
    return ask("usage", new Form()).stream()
        .filter(row -> row.get("lease").equals(lease.get("id")))
        .toList();
  }

  /** Does something with a lease. */
  Form change(String verb, Form lease) throws IOException {
    return ask(verb, new Form().with("id", lease.get("id"))).getFirst();
  }

  /** Suspends a lease for as long as no program of it makes a call. */
  Form suspendUntilCall(Form lease) throws IOException {
    return ask("suspend", new Form().with("id", lease.get("id")).with("until", "call")).getFirst();
  }

  /** Those that are not over. */
  List<Form> alive() throws IOException {
    return ask("leases", new Form());
  }

  /** Whether a lease is that of a session without one. */
  static boolean isCommon(Form lease) {
    return lease.number("share", 0) == 0;
  }

  /** Releases all; whether nobody has devices any more. */
  boolean releaseAll() throws IOException {
    for (Form lease : alive()) {
      if (!isCommon(lease)) {
        change("release", lease);
      }
    }
    return alive().isEmpty();
  }

  /** The variables of a program that uses a lease. */
  Map<String, String> variables(String endpoint, Form lease) throws IOException {
    Map<String, String> variables = new HashMap<>(backend.variables(endpoint));
    variables.put("OUTBOARD_TOKEN", lease.get("token"));
    return variables;
  }
}
