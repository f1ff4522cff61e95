// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Greeted;
import io.outboard.communicator.GreetingServer;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Posix;
import io.outboard.communicator.Processes;
import io.outboard.wire.Refusal;
import io.outboard.wire.Token;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Listens, greets, and hands each client to a worker process of its own.
 *
 * <p>Start one with {@link #builder}; it ends with {@link #close}.
 */
public final class Daemon implements AutoCloseable {
  private final List<Listener> listeners = new ArrayList<>();
  private final Token token;
  private final WorkerPool pool;
  private final Semaphore places;
  private final AtomicInteger sessions = new AtomicInteger();
  private final boolean quiet;

  private Daemon(Builder builder) throws IOException {
    useLegacyLayout();
    token = builder.token;
    places = new Semaphore(builder.mostSessions);
    quiet = builder.quiet;
    pool = new WorkerPool(builder.devices, builder.spareWorkers, builder.jvmOptions);
    try {
      for (Endpoint endpoint : builder.endpoints) {
        listeners.add(Communicator.of(endpoint).listen(endpoint, builder.insecure));
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
    listeners.forEach(this::listen);
  }

  /**
   * Workers inherit it: a driver's addresses then lie where programs have nothing, so that a
   * program can reserve them. A container's filter may refuse; then reservations may fail, and say
   * so.
   */
  private static void useLegacyLayout() {
    int before = Processes.personality(Processes.PERSONALITY_QUERY);
    if (before < 0 || Processes.personality(before | Processes.ADDR_COMPAT_LAYOUT) < 0) {
      Log.debug("the legacy memory layout is not permitted here");
    }
  }

  /** Where clients connect to. */
  public List<Endpoint> endpoints() {
    return listeners.stream().map(Listener::endpoint).toList();
  }

  /** Sessions that are open. */
  public int sessions() {
    return sessions.get();
  }

  private void listen(Listener listener) {
    Thread.ofPlatform()
        .name("listen " + listener.endpoint())
        .daemon(true)
        .start(() -> accept(listener));
  }

  private void accept(Listener listener) {
    while (true) {
      try {
        int client = listener.accept();
        if (client == Listener.CLOSED) {
          return;
        }
        sessions.incrementAndGet();
        Thread.ofPlatform().name("greeting").daemon(true).start(() -> greet(listener, client));
      } catch (IOException e) {
        Log.warn(e.getMessage());
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A client's session: the worker that has it, and the page that both share. */
  private record Session(WorkerProcess worker, SharedPage page, String program) {}

  private void greet(Listener listener, int client) {
    try {
      Session session = admit(listener, client);
      if (session != null) {
        supervise(session);
        places.release();
      }
    } catch (IOException e) {
      Log.info("a client was not admitted: " + e.getMessage());
    } finally {
      sessions.decrementAndGet();
    }
  }

  /**
   * Greets a client and gives it a worker; null if there is no place. The descriptor is the
   * worker's alone afterwards.
   */
  private Session admit(Listener listener, int client) throws IOException {
    try {
      Greeted greeted =
          GreetingServer.receive(
              client, listener.vouched(client), token, GreetingServer.TIMEOUT_MS);
      if (places.tryAcquire()) {
        return handOver(client, greeted);
      }
      GreetingServer.refuse(
          client,
          new Refusal(Refusal.LIMIT, "this backend has no place left"),
          GreetingServer.TIMEOUT_MS);
      return null;
    } finally {
      Posix.close(client);
    }
  }

  private Session handOver(int client, Greeted greeted) throws IOException {
    SharedPage page = SharedPage.create();
    try {
      WorkerProcess worker = take(client);
      worker.handOver(
          new HandOver(client, page.descriptor(), greeted.hello(), greeted.serverProof()));
      return new Session(worker, page, greeted.hello().program());
    } catch (IOException | RuntimeException e) {
      page.close();
      places.release();
      throw e;
    }
  }

  private WorkerProcess take(int client) throws IOException {
    try {
      return pool.take();
    } catch (IOException e) {
      GreetingServer.refuse(
          client, new Refusal(Refusal.INTERNAL, e.getMessage()), GreetingServer.TIMEOUT_MS);
      throw e;
    }
  }

  private void supervise(Session session) {
    try (SharedPage page = session.page) {
      int status = session.worker.await();
      String cause =
          page.cause().isEmpty() ? "its worker died with status " + status : page.cause();
      if (!quiet || status != 0) {
        Log.info(
            "%s: %s (%d calls, %d bytes in, %d out)"
                .formatted(session.program, cause, page.calls(), page.bytesIn(), page.bytesOut()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    listeners.forEach(Listener::close);
    pool.close();
  }

  /** A daemon with nothing set. */
  public static Builder builder() {
    return new Builder();
  }

  /** What a daemon is to do. */
  public static final class Builder {
    private final List<Endpoint> endpoints = new ArrayList<>();
    private Token token = Token.random();
    private String devices = "auto";
    private int spareWorkers = 1;
    private int mostSessions = 256;
    private boolean insecure;
    private boolean quiet;
    private List<String> jvmOptions = List.of();

    private Builder() {}

    /** Listens there too. */
    public Builder listen(Endpoint endpoint) {
      endpoints.add(endpoint);
      return this;
    }

    /** The token that clients prove where the transport does not vouch for them. */
    public Builder token(Token secret) {
      token = secret;
      return this;
    }

    /** The devices: {@code auto}, {@code software[:N]}, {@code nvidia}. */
    public Builder devices(String specification) {
      devices = specification;
      return this;
    }

    /** Workers to keep ready beyond those that serve; 1 by default. */
    public Builder spareWorkers(int count) {
      spareWorkers = count;
      return this;
    }

    /** Most sessions at a time. */
    public Builder mostSessions(int count) {
      mostSessions = count;
      return this;
    }

    /** Allows unencrypted TCP that other machines can reach. */
    public Builder insecure(boolean allowed) {
      insecure = allowed;
      return this;
    }

    /** Logs only what went wrong. */
    public Builder quiet(boolean onlyFailures) {
      quiet = onlyFailures;
      return this;
    }

    /** Options for the workers' virtual machines. */
    public Builder jvmOptions(List<String> options) {
      jvmOptions = List.copyOf(options);
      return this;
    }

    /**
     * Starts it.
     *
     * @throws IOException if it cannot listen where it should; the message says why
     */
    public Daemon start() throws IOException {
      return new Daemon(this);
    }
  }
}
