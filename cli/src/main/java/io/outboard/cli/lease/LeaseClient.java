// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.cli.command.BackendOption;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.ShellWords;
import io.outboard.client.ControlConnection;
import io.outboard.client.find.Backends;
import io.outboard.client.find.Found;
import io.outboard.client.find.Site;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.TokenFile;
import io.outboard.communicator.stream.ControlStream;
import io.outboard.communicator.tls.TlsClient;
import io.outboard.lease.Form;
import io.outboard.pool.control.Verb;
import io.outboard.wire.Control;
import io.outboard.wire.Printable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;

/** The common part of the commands about leases: they ask a backend's daemon. */
public final class LeaseClient extends BackendOption {
  private static final Set<String> AFAR = Set.of("tcp", "tls", "vsock");

  /** How long an answer may take that nothing has to be moved for. */
  static final Duration SOON = Duration.ofMillis(ControlStream.TIMEOUT_MS);

  /** Asks; returns the rows of the answer. */
  public List<Form> ask(String verb, Form form) throws Failure {
    return ask(verb, form, SOON);
  }

  private List<Form> ask(String verb, Form form, Duration limit) throws Failure {
    return ask(verb, form, limit, ControlConnection.MOST_ROWS);
  }

  private List<Form> ask(String verb, Form form, Duration limit, int mostRows) throws Failure {
    check(verb, form);
    Found backend = find();
    try (ControlConnection connection =
        new ControlConnection(backend.endpoint(), environment(backend, environment()))) {
      int most = Math.toIntExact(limit.toMillis());
      List<Control> answer = connection.ask(verb + "?" + form, most, mostRows);
      Control end = answer.removeLast();
      if (end.kind() != Control.Kind.DONE) {
        throw new Failure(end.text());
      }
      return understood(
          () -> answer.stream().map(row -> Form.parse(row.text()).printable()).toList());
    } catch (InterruptedIOException e) {
      throw new Failure(
          "the backend has not answered in %d s, and may still do it: 'outboard leases' shows it"
              .formatted(limit.toSeconds()));
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  /**
   * Reads what a backend has said.
   *
   * @throws Failure also if that is not to be read, which is the backend's mistake and not ours
   */
  public static <T> T understood(Reading<T> reading) throws Failure {
    try {
      return reading.read();
    } catch (IllegalArgumentException
        | NoSuchElementException
        | ArithmeticException
        | DateTimeException e) {
      throw new Failure(
          "the backend's answer cannot be read: "
              + (e.getMessage() == null ? "something is missing" : Printable.of(e.getMessage())));
    }
  }

  /** Reads an answer. */
  @FunctionalInterface
  public interface Reading<T> {
    /** Returns what it says. */
    T read() throws Failure;
  }

  /** As the backend does it, so that a wrong value is told where there is none, too. */
  private void check(String verb, Form form) {
    try {
      Verb.of(verb).check(form);
    } catch (IllegalArgumentException e) {
      throw misused(e);
    }
  }

  /** Asks for one lease. */
  LeaseRow askOne(String verb, Form form) throws Failure {
    return askOne(verb, form, SOON);
  }

  /** Asks for something about one lease that may take so long. */
  LeaseRow askOne(String verb, Form form, Duration limit) throws Failure {
    return understood(() -> new LeaseRow(ask(verb, form, limit, 1).getFirst()));
  }

  /** The lines by which a shell's programs use a lease. */
  List<String> exports(LeaseRow lease) throws Failure {
    List<String> lines = new ArrayList<>();
    lines.add(ShellWords.exported(Backends.VARIABLE, place(lease)));
    lines.add(ShellWords.exported(TokenFile.VARIABLE, lease.token()));
    site()
        .flatMap(Site::authorities)
        .ifPresent(file -> lines.add(ShellWords.exported(TlsClient.CA, file.toString())));
    return lines;
  }

  /** Where the backend is. */
  public String endpoint() throws Failure {
    return find().endpoint().toString();
  }

  /**
   * Where a lease's programs connect to: straight to the node that has its devices.
   *
   * @throws Failure if the backend names a place to which it may send nobody
   */
  String place(LeaseRow lease) throws Failure {
    String named = lease.backend();
    Endpoint asked = find().endpoint();
    if (named.isEmpty()) {
      return asked.toString();
    }
    if (!maySendTo(asked, Endpoint.parse(named))) {
      throw new Failure("the backend sends programs to " + named + ", which is no other machine");
    }
    return named;
  }

  /**
   * Whether a backend may send programs there: to other machines, and on this one if it is of it.
   * Else it could have them use a socket, a device or a plug-in of their own machine.
   */
  static boolean maySendTo(Endpoint asked, Endpoint named) {
    boolean here = named.scheme().equals(Endpoint.UNIX) && asked.scheme().equals(Endpoint.UNIX);
    return here || AFAR.contains(named.scheme());
  }

  /**
   * Where the transport vouches for the client no token is needed, and a token that a shell has set
   * may be a lease's.
   */
  public static Map<String, String> environment(Found backend) {
    return environment(backend, System.getenv());
  }

  private static Map<String, String> environment(Found backend, Map<String, String> own) {
    Map<String, String> environment = new TreeMap<>(own);
    if (Communicator.vouches(backend.endpoint())) {
      environment.remove(TokenFile.VARIABLE);
    }
    return environment;
  }
}
