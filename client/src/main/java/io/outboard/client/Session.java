// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.GreetingClient;
import io.outboard.communicator.greeting.TokenFile;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Caller;
import io.outboard.wire.Frame;
import io.outboard.wire.Handles;
import io.outboard.wire.Hello;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A session with a backend, used by any number of threads. A lost connection is made again, as long
 * as the backend waits for it; calls wait meanwhile. Once the session is lost, every call returns
 * its library's unavailable code, none hangs, and one line on standard error says why.
 */
public final class Session implements Caller, AutoCloseable {
  private static final int SILENCE_ROUND_MS = 5_000;

  /** Another host that is lost is an error within five seconds; it says something every two. */
  private static final int ADOPTED_ROUND_MS = 1_600;

  /** Set to 1 where nobody wants to read lines, neither of this side nor of the backend. */
  private static final String QUIET = "OUTBOARD_QUIET";

  private static final String CLOSED = "the session is closed";

  private final String backend;
  private final PrintStream messages;
  private final Welcome welcome;
  private final Map<Integer, ClientLibrary> libraries;
  private final HandleMint mint;
  private final Link link;
  private final FrameWriter writer;
  private final ClientFunctions functions;
  private final HandleLanes lanes = new HandleLanes();
  private final ClientThreads threads;
  private final FrameReader frames;
  private final Lead lead;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Session(
      Greeted greeted,
      HandleMint mint,
      int flags,
      List<ClientLibrary> libraries,
      PrintStream output,
      PrintStream messages) {
    this.backend = greeted.backend;
    this.messages = messages;
    this.welcome = greeted.welcome;
    this.mint = mint;
    this.libraries =
        libraries.stream().collect(Collectors.toMap(ClientLibrary::id, Function.identity()));
    link = link(greeted);
    lead = new Lead(link);
    writer = new FrameWriter(link, lead, flags);
    functions = new ClientFunctions(writer::returned);
    threads = new ClientThreads(writer, functions, lead);
    frames = new FrameReader(link, writer, threads, functions, output, messages, this::isAwaited);
  }

  private Link link(Greeted greeted) {
    return Comeback.to(greeted.welcome, greeted.reconnection)
        .map(
            comeback ->
                new Link(
                    greeted.socket,
                    greeted.roundMs,
                    comeback,
                    this::tell,
                    this::returned,
                    this::lost))
        .orElseGet(
            () ->
                new Link(
                    greeted.socket,
                    greeted.roundMs,
                    new Farewell(greeted.reconnection)::explain,
                    this::lost));
  }

  /** A connection over which a backend has said its Welcome. */
  private record Greeted(
      String backend, int socket, int roundMs, Welcome welcome, Reconnection reconnection) {}

  /**
   * Goes on over a connection that somebody else has opened for this process. All calls are ordered
   * among each other, whatever their lanes.
   *
   * @param backend its name, for people
   * @param tag the one that the Hello had
   * @param reconnection by which it goes on where it waits for its client
   * @param output where the text goes that kernels print
   * @param messages where the backend's lines go, and those that say what becomes of the connection
   */
  public static Session adopt(
      String backend,
      int socket,
      int tag,
      Welcome welcome,
      Reconnection reconnection,
      List<ClientLibrary> libraries,
      PrintStream output,
      PrintStream messages) {
    int rounds = welcome.proof().isZero() ? 0 : ADOPTED_ROUND_MS;
    Greeted greeted = new Greeted(backend, socket, rounds, welcome, reconnection);
    HandleMint mint = new HandleMint(tag);
    Session session = new Session(greeted, mint, Frame.FLAG_ORDERED, libraries, output, messages);
    session.start();
    return session;
  }

  /**
   * Opens a session over a connection whose other side knows already for whom it is: its next word
   * is a Welcome or a Refusal. The session ends with the connection.
   *
   * @param backend its name, for people
   * @param output where the text goes that kernels print
   * @param messages where the backend's lines go
   * @throws IOException if the backend turns this process away, goes, or takes too long; the
   *     connection stays its caller's to close then
   */
  public static Session welcomed(
      String backend,
      int socket,
      List<ClientLibrary> libraries,
      PrintStream output,
      PrintStream messages)
      throws IOException {
    Welcome welcome = GreetingClient.welcome(socket, GreetingClient.TIMEOUT_MS);
    Reconnection none =
        milliseconds -> {
          throw new IOException("there is no other way to the backend");
        };
    Greeted greeted = new Greeted(backend, socket, 0, welcome, none);
    HandleMint mint = new HandleMint(welcome.session());
    Session session = new Session(greeted, mint, 0, libraries, output, messages);
    session.start();
    return session;
  }

  /**
   * Asks a backend whether it would serve a program: the daemon answers, and no worker starts.
   * Returns if it would.
   *
   * @param environment where the token is looked for, and whom the client trusts
   * @throws IOException if it would not, or does not answer within seconds; the message says why
   * @throws IllegalArgumentException if the endpoint is not one that can be connected to
   */
  public static void ask(Endpoint endpoint, Map<String, String> environment) throws IOException {
    Communicator communicator = Communicator.of(endpoint);
    Posix.close(
        OpenSocket.hold(
            communicator.connect(endpoint, environment),
            endpoint + ": ",
            socket -> {
              Hello hello = Introduction.hello(List.of(), Map.of()).toAsk();
              Capabilities can = communicator.capabilities();
              int most = GreetingClient.QUESTION_MS;
              Welcome unused = Introduction.greet(socket, hello, can, environment, most);
              return socket;
            }));
  }

  /**
   * Opens a session; what kernels print goes to standard output.
   *
   * @see #open(Endpoint, List, PrintStream, Map)
   */
  public static Session open(Endpoint endpoint, List<ClientLibrary> libraries) throws IOException {
    return open(endpoint, libraries, System.out, System.getenv());
  }

  /** Opens a session with these variables; what kernels print goes to standard output. */
  public static Session open(
      Endpoint endpoint, List<ClientLibrary> libraries, Map<String, String> environment)
      throws IOException {
    return open(endpoint, libraries, System.out, environment);
  }

  /**
   * Opens a session.
   *
   * @param libraries those that will be called
   * @param output where the text goes that kernels print
   * @param environment where the token is looked for (see {@link TokenFile}) and the vendor's
   *     variables are taken from
   * @throws IOException if there is no backend, it turns this client away or does not prove itself
   * @throws IllegalArgumentException if the endpoint is not one that can be connected to
   */
  public static Session open(
      Endpoint endpoint,
      List<ClientLibrary> libraries,
      PrintStream output,
      Map<String, String> environment)
      throws IOException {
    return open(endpoint, libraries, output, environment, SILENCE_ROUND_MS);
  }

  /** {@code roundMs} is a third of the silence that is a loss where the end may not be seen. */
  static Session open(
      Endpoint endpoint,
      List<ClientLibrary> libraries,
      PrintStream output,
      Map<String, String> environment,
      int roundMs)
      throws IOException {
    return OpenSocket.hold(
        Communicator.of(endpoint).connect(endpoint, environment),
        endpoint + ": ",
        socket -> begin(endpoint, socket, libraries, output, environment, roundMs));
  }

  private static Session begin(
      Endpoint endpoint,
      int socket,
      List<ClientLibrary> libraries,
      PrintStream output,
      Map<String, String> environment,
      int roundMs)
      throws IOException {
    Capabilities can = Communicator.of(endpoint).capabilities();
    boolean distant = can.distance().silenceIsLoss();
    Hello hello =
        distant
            ? Introduction.lastingHello(libraries, environment)
            : Introduction.hello(libraries, environment);
    Welcome welcome = Introduction.greet(socket, hello, can, environment);
    Reconnection reconnection = Reconnection.to(endpoint, welcome, TokenFile.find(environment));
    int rounds = distant ? roundMs : 0;
    Greeted greeted = new Greeted(endpoint.toString(), socket, rounds, welcome, reconnection);
    HandleMint mint = new HandleMint(welcome.session());
    Session session = new Session(greeted, mint, 0, libraries, output, messages(environment));
    session.start();
    return session;
  }

  private static PrintStream messages(Map<String, String> environment) {
    return "1".equals(environment.get(QUIET))
        ? new PrintStream(OutputStream.nullOutputStream(), false, UTF_8)
        : System.err;
  }

  /** The backend's answer when it opened the session. */
  public Welcome welcome() {
    return welcome;
  }

  /** Why the connection is lost, if it is. */
  public Optional<String> lostBecause() {
    return link.lost();
  }

  /**
   * Sets the lane of the calling thread's next calls.
   *
   * @param lane index of the context's handle ({@link Handles#index}), 0 where there is no context
   */
  public void lane(int lane) {
    threads.own().lane(lane);
    lanes.enter(lane);
  }

  /** Whether each of the calling thread's next calls is answered, posted ones too. */
  public void answering(boolean each) {
    threads.own().answering(each);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the session was not opened for that library
   */
  @Override
  public Request begin(int library, int number, int fixed) {
    ClientLibrary known = libraries.get(library);
    if (known == null) {
      throw new IllegalArgumentException("the session was not opened for library " + library);
    }
    return threads.own().begin(known, number, fixed);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if too many of that kind are alive
   */
  @Override
  public long mint(int kind) {
    return mint.mint(kind);
  }

  @Override
  public void retire(long handle) {
    mint.retire(handle);
  }

  @Override
  public int order(long handle) {
    return lanes.order(handle, threads.own().lane());
  }

  @Override
  public void note(long handle) {
    lanes.note(handle, threads.own().lane());
  }

  @Override
  public int settle(int result) {
    return threads.own().settle(result);
  }

  @Override
  public long keep(long function, long userData, int position, boolean repeated) {
    return functions.keep(function, userData, position, repeated);
  }

  /** Ends the session; calls that still wait return the unavailable code. */
  @Override
  public void close() {
    if (goodbye()) {
      link.lose(CLOSED);
      lead.awaitEnd();
      writer.close();
    }
  }

  /**
   * Has the backend end the session's links with other backends; this client has no connections for
   * bulk data of its own.
   */
  public void dropLinks() {
    writer.bulkLost(0);
  }

  /** Says that the session ends, for a process that is about to end; waits for nobody. */
  public void leave() {
    boolean unused = goodbye();
  }

  /** Returns whether nobody else has said it. */
  private boolean goodbye() {
    boolean first = closed.compareAndSet(false, true);
    if (first) {
      link.ending();
      writer.goodbye();
    }
    return first;
  }

  private void start() {
    lead.start(frames, functions::areExpected, this::isAwaited);
    writer.start();
  }

  private boolean isAwaited() {
    return threads.anyWaits() || writer.isWriting();
  }

  private void returned() {
    writer.pong();
  }

  private void lost(String reason) {
    threads.wake();
    writer.lost();
    // The closing side says goodbye first, and the backend may be the quicker to hang up.
    if (!closed.get()) {
      tell("is lost: " + reason);
    }
  }

  private void tell(String what) {
    messages.println("outboard: the connection to " + backend + " " + what);
  }
}
