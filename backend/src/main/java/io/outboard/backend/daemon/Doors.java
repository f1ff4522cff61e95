// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.Pause;
import io.outboard.backend.system.RateLimiter;
import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Capability;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Origin;
import io.outboard.communicator.TakenException;
import io.outboard.communicator.greeting.Claim;
import io.outboard.communicator.greeting.Greeted;
import io.outboard.communicator.greeting.GreetingServer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.region.GuestMemory;
import io.outboard.wire.Hello;
import io.outboard.wire.Refusal;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/**
 * Where clients come in. Each is greeted on a thread of its own: so many at a time, as {@link
 * Lobby} says, and so many a second.
 */
final class Doors implements AutoCloseable {
  private static final String NO_THREAD =
      "this backend's system gives it no further thread: raise its limit of threads, or end"
          + " programs";

  private static final long PAUSE_MS = 100;

  private final int greetingsPerSecond;
  private final ThreadFactory greeters;
  private final List<Door> doors = new ArrayList<>();
  private final Lobby lobby = new Lobby();
  private volatile Reception reception;
  private volatile boolean closed;

  Doors(DaemonBuilder settings) {
    this.greetingsPerSecond = settings.greetingsPerSecond;
    this.greeters = settings.greeters;
  }

  /**
   * A place that is listened at.
   *
   * @param memory that this machine shares with the guest whose programs come there
   */
  private record Door(Listener listener, Communicator by, Optional<GuestMemory> memory) {}

  /** Takes the places; nobody is greeted yet. */
  void bind(DaemonBuilder settings) throws IOException {
    for (Endpoint endpoint : settings.endpoints) {
      try {
        bind(endpoint, settings);
      } catch (TakenException e) {
        Runnable taken = settings.ifFree.get(endpoint);
        if (taken == null) {
          throw e;
        }
        taken.run();
      }
    }
  }

  private void bind(Endpoint endpoint, DaemonBuilder settings) throws IOException {
    Communicator by = Communicator.of(endpoint);
    Optional<GuestMemory> memory = Optional.ofNullable(settings.memories.get(endpoint));
    doors.add(new Door(by.listen(endpoint, settings.listening()), by, memory));
  }

  /** To what has come, and what comes. */
  void open(Reception to) {
    reception = to;
    for (Door door : doors) {
      Thread.ofPlatform()
          .name("listen " + door.listener.endpoint())
          .daemon(true)
          .start(() -> accept(door));
    }
  }

  List<Endpoint> endpoints() {
    return doors.stream().map(door -> door.listener.endpoint()).toList();
  }

  private void accept(Door door) {
    boolean vouches = door.by.capabilities().has(Capability.VOUCHING);
    RateLimiter limiter = new RateLimiter(greetingsPerSecond);
    while (!closed) {
      limiter.await();
      try {
        int client = door.listener.accept();
        if (client == Listener.CLOSED) {
          return;
        }
        Origin origin = door.listener.origin(client);
        receive(vouches ? origin : origin.unvouched(), door, client);
      } catch (IOException e) {
        Log.warn(e.getMessage());
        Pause.ms(PAUSE_MS);
      }
    }
  }

  private void receive(Origin origin, Door door, int client) {
    Optional<Places.Place> place = lobby.enter(origin, client);
    if (place.isEmpty()) {
      Posix.close(client);
      return;
    }
    try {
      greeters.newThread(() -> serve(origin, door, client, place.get())).start();
    } catch (OutOfMemoryError e) {
      // So the JVM says that the system has no thread left, which need not last.
      turnAway(client, place.get(), e);
    }
  }

  private static void turnAway(int client, Places.Place place, Error why) {
    Log.warn(NO_THREAD + ": " + why.getMessage());
    place.close();
    try {
      GreetingServer.refuse(client, new Refusal(Refusal.LIMIT, NO_THREAD));
    } catch (IOException e) {
      Log.debug("a client has gone before it was refused");
    } finally {
      Posix.close(client);
    }
  }

  private void serve(Origin origin, Door door, int client, Places.Place place) {
    try {
      Greeted greeted = greet(origin, client, place);
      reception.serve(origin, client, asItCan(greeted, door));
    } catch (EOFException e) {
      // It may only have looked whether somebody answers, or has made room for others.
      Log.debug("a client has gone before it was admitted");
    } catch (IOException e) {
      Log.info("a client was not admitted: " + e.getMessage());
    } catch (RuntimeException e) {
      Log.failure("a client was not admitted", e);
    } finally {
      Posix.close(client);
    }
  }

  /** The place is free again as soon as it is known who has come. */
  private Greeted greet(Origin origin, int client, Places.Place place) throws IOException {
    try (place) {
      return GreetingServer.receive(
          client, hello -> claim(hello, origin, place), GreetingServer.TIMEOUT_MS);
    }
  }

  private Claim claim(Hello hello, Origin origin, Places.Place place) throws RefusedException {
    place.working();
    Claim claim = reception.claim(hello, origin);
    if (claim.proof().isPresent()) {
      place.waiting();
    }
    return claim;
  }

  /** A client wants no region where there is none. */
  private static Greeted asItCan(Greeted greeted, Door door) {
    Capabilities can = door.by.capabilities();
    if (!can.has(Capability.REGIONS)) {
      return door.memory.map(greeted::withMemory).orElseGet(greeted::withoutRegion);
    }
    return can.hasOwnRegions() ? greeted.withRegionsOf(door.by.scheme()) : greeted;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      doors.forEach(door -> door.listener.close());
      lobby.close();
    }
  }
}
