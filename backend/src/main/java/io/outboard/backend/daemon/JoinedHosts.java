// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.library.JoinedHost;
import io.outboard.backend.route.RemoteHost;
import io.outboard.backend.supervision.HostAccess;
import io.outboard.backend.system.Log;
import io.outboard.client.ClientLibrary;
import io.outboard.client.Reconnection;
import io.outboard.communicator.Capability;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.SetupException;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Slot;
import io.outboard.wire.Token;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The backends of other hosts whose devices this one's programs have too. Each program has a
 * session of its own with each of them, which the daemon opens: a worker has neither a network nor
 * the token.
 */
final class JoinedHosts implements AutoCloseable {
  /** A daemon that is there answers a question at once, whatever else it does. */
  private static final int CHECK_MS = 10_000;

  /** Longer than any session waits for a connection. */
  private static final int MOST_CONNECT_MS = 5_000;

  /** After so long without an answer it is looked whether there is anybody. */
  private static final int SOON_MS = 1_000;

  private static final String SILENCE = "it does not answer";
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final List<HostAccess> hosts;
  private final int checkMs;
  // By which other backends recognise this one.
  private final Bytes identity = Bytes.random(Message.IDENTITY);
  private final SilentHosts silent = new SilentHosts(this::answers, PAUSE);

  JoinedHosts(List<HostAccess> hosts) {
    this(hosts, CHECK_MS);
  }

  /** Those that share a token. */
  static JoinedHosts of(List<Endpoint> endpoints, Optional<Token> token) {
    return new JoinedHosts(
        endpoints.stream().map(endpoint -> new HostAccess(endpoint, token)).toList());
  }

  /** {@code checkMs} is how long a host may take for an answer that costs it nothing. */
  JoinedHosts(List<HostAccess> hosts, int checkMs) {
    this.hosts = List.copyOf(hosts);
    this.checkMs = checkMs;
  }

  boolean isEmpty() {
    return hosts.isEmpty();
  }

  Bytes identity() {
    return identity;
  }

  /**
   * Asks all at once whether they would serve. One that cannot be reached now may be reached later.
   *
   * @throws IOException if one refuses, is another one under another name, or its token is missing
   */
  void check() throws IOException {
    List<Future<Optional<Bytes>>> asked = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      HostAccess host = hosts.get(i);
      Slot slot = new Slot(i + 1);
      asked.add(beside(() -> ask(host, slot)));
    }
    List<Bytes> known = new ArrayList<>(List.of(identity));
    List<String> names = new ArrayList<>(List.of("this backend itself"));
    for (int i = 0; i < hosts.size(); i++) {
      Optional<Bytes> other = result(asked.get(i));
      int same = other.map(known::indexOf).orElse(-1);
      if (same >= 0) {
        throw new IOException(
            "--join %s: that is %s, which cannot be joined again"
                .formatted(hosts.get(i).endpoint(), names.get(same)));
      }
      other.ifPresent(known::add);
      if (other.isPresent()) {
        names.add(hosts.get(i).endpoint().toString());
      }
    }
  }

  private static <T> Future<T> beside(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofPlatform().name("join").daemon(true).start(task);
    return task;
  }

  private static <T> T result(Future<T> work) throws IOException {
    try {
      return work.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failed
          ? failed
          : new IOException(e.getCause().toString(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private Optional<Bytes> ask(HostAccess host, Slot slot) throws IOException {
    Endpoint endpoint = host.endpoint();
    if (host.token().isEmpty() && !vouches(endpoint)) {
      throw new IOException(
          "--join %s: OUTBOARD_TOKEN or --join-token-file has to have its token"
              .formatted(endpoint));
    }
    long begin = System.nanoTime();
    try {
      return Optional.of(recognised(question(host, slot)));
    } catch (RefusedException | SetupException | IllegalStateException e) {
      throw new IOException("--join " + endpoint + ": " + e.getMessage(), e);
    } catch (IOException e) {
      Log.warn("%s cannot be joined now: %s".formatted(endpoint, e.getMessage()));
      if (System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(SOON_MS)) {
        silent.add(endpoint);
      }
      return Optional.empty();
    }
  }

  /** Whether it would serve; a daemon answers that at once. */
  private Welcome question(HostAccess host, Slot slot) throws IOException {
    Endpoint endpoint = host.endpoint();
    Hello hello = hello(0, 0, new LinkedHashMap<>(), "outboard serve").toAsk().in(slot);
    int socket = Communicator.of(endpoint).connect(endpoint, checkMs);
    try {
      return greet(host, socket, hello, checkMs);
    } finally {
      Posix.close(socket);
    }
  }

  /** Whether somebody is there, whatever it says. */
  private boolean answers(Endpoint endpoint) {
    try {
      int index = hosts.stream().map(HostAccess::endpoint).toList().indexOf(endpoint);
      Welcome unused = question(hosts.get(index), new Slot(index + 1));
      return true;
    } catch (RefusedException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Which backend it is; one that has joined others must be this one, which is told apart. */
  private Bytes recognised(Welcome welcome) {
    Bytes other = welcome.session();
    if (!welcome.secret().isZero() && !other.equals(identity)) {
      throw new IllegalStateException("it has joined others itself, so that it cannot be joined");
    }
    return other;
  }

  /**
   * Opens a session for a program with each that can be reached, at once; the others are logged.
   * One that has not answered of late is not waited for.
   */
  List<JoinedHost> open(Hello client) {
    List<Future<JoinedHost>> openings = openings(client);
    List<JoinedHost> joined = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      try {
        joined.add(result(openings.get(i)));
      } catch (IOException e) {
        Log.warn(
            "%s has no part in %s: %s"
                .formatted(hosts.get(i).endpoint(), client.program(), e.getMessage()));
      }
    }
    return joined;
  }

  /**
   * Opens a session for a program with each, at once.
   *
   * @throws IOException if one of them cannot be opened: then there is none
   */
  List<JoinedHost> openAll(Hello client) throws IOException {
    List<Future<JoinedHost>> openings = openings(client);
    List<JoinedHost> joined = new ArrayList<>();
    Optional<IOException> failed = Optional.empty();
    for (int i = 0; i < hosts.size(); i++) {
      try {
        joined.add(result(openings.get(i)));
      } catch (IOException e) {
        Endpoint where = hosts.get(i).endpoint();
        failed = Optional.of(new IOException("%s: %s".formatted(where, e.getMessage()), e));
      }
    }
    if (failed.isPresent()) {
      joined.forEach(host -> Posix.close(host.socket()));
      throw failed.get();
    }
    return joined;
  }

  private List<Future<JoinedHost>> openings(Hello client) {
    List<Future<JoinedHost>> openings = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      HostAccess host = hosts.get(i);
      Slot slot = new Slot(i + 1);
      int lasting = lasting(host.endpoint());
      Hello hello =
          hello(client.process(), lasting, client.environment(), client.program()).in(slot);
      openings.add(beside(() -> openUnlessSilent(host, slot, hello)));
    }
    return openings;
  }

  /** A session may take its time to begin; a daemon that is there answers meanwhile. */
  private JoinedHost openUnlessSilent(HostAccess host, Slot slot, Hello hello) throws IOException {
    Endpoint endpoint = host.endpoint();
    if (silent.has(endpoint)) {
      throw new IOException(SILENCE);
    }
    CompletableFuture<JoinedHost> opening = new CompletableFuture<>();
    Future<?> unused = beside(() -> open(host, slot, hello, opening));
    try {
      return opening.get(SOON_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      if (!answers(endpoint) && opening.completeExceptionally(new IOException(SILENCE))) {
        silent.add(endpoint);
      }
    } catch (ExecutionException e) {
      // As below.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return result(opening);
  }

  /** Nobody may want it any more by then. */
  private Void open(
      HostAccess host, Slot slot, Hello hello, CompletableFuture<JoinedHost> opening) {
    try {
      JoinedHost opened = open(host, slot, hello);
      if (!opening.complete(opened)) {
        Posix.close(opened.socket());
      }
    } catch (IOException | RuntimeException e) {
      opening.completeExceptionally(e);
    }
    return null;
  }

  private static JoinedHost open(HostAccess host, Slot slot, Hello hello) throws IOException {
    Endpoint endpoint = host.endpoint();
    int socket = Communicator.of(endpoint).connect(endpoint);
    try {
      Welcome welcome = greet(host, socket, hello, GreetingClient.TIMEOUT_MS);
      return new JoinedHost(slot, endpoint.toString(), socket, welcome);
    } catch (IOException e) {
      Posix.close(socket);
      throw e;
    }
  }

  @Override
  public void close() {
    silent.close();
  }

  /**
   * Makes a connection over which a worker's session with one of them can go on.
   *
   * @param session what has opened it
   * @throws IOException if that is not possible now, or never
   */
  int connect(int slot, Welcome session, int milliseconds) throws IOException {
    if (slot < 1 || slot > hosts.size()) {
      throw new IOException("no backend has slot " + slot);
    }
    HostAccess host = hosts.get(slot - 1);
    return Reconnection.to(host.endpoint(), session, host.token())
        .connect(Math.clamp(milliseconds, 1, MOST_CONNECT_MS));
  }

  /**
   * Makes a further connection of a session with one of them.
   *
   * @return the connection, after the Welcome; the caller's to close
   */
  int further(JoinedHost opened, Hello hello) throws IOException {
    HostAccess host = hosts.get(opened.slot().number() - 1);
    Endpoint endpoint = host.endpoint();
    int socket = Communicator.of(endpoint).connect(endpoint, MOST_CONNECT_MS);
    try {
      Welcome unused = greet(host, socket, hello, MOST_CONNECT_MS);
      return socket;
    } catch (IOException e) {
      Posix.close(socket);
      throw e;
    }
  }

  private static boolean vouches(Endpoint endpoint) {
    return Communicator.of(endpoint).capabilities().has(Capability.VOUCHING);
  }

  private static Welcome greet(HostAccess host, int socket, Hello hello, int timeoutMs)
      throws IOException {
    Optional<Token> token = host.token();
    Hello said = hello.tellsOfLink() ? hello : token.map(hello::withKey).orElse(hello);
    try {
      return GreetingClient.greet(socket, said, vouches(host.endpoint()), token, timeoutMs);
    } catch (ProtocolException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** A session outlives a connection that may end by itself. */
  private static int lasting(Endpoint endpoint) {
    boolean distant = Communicator.of(endpoint).capabilities().distance().silenceIsLoss();
    return distant ? Hello.FLAG_LASTS : 0;
  }

  private static Hello hello(
      int process, int flags, SequencedMap<String, String> environment, String program) {
    return new Hello(
        Message.OLDEST,
        Message.VERSION,
        process,
        Bytes.zero(Message.IDENTITY),
        Bytes.random(Message.NONCE),
        flags,
        RemoteHost.LIBRARIES.stream().map(ClientLibrary::introduction).toList(),
        environment,
        program);
  }
}
