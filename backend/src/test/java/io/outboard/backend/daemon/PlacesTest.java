// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.Origin;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PlacesTest {
  private static final Origin ALICE = new Origin.Member(1001);
  private static final Origin BOB = new Origin.Member(1002);

  private final Places places = new Places(2, 3);
  private final List<Peer> peers = new ArrayList<>();

  /** A connection: the daemon's end of it, the peer's, and its place. */
  private final class Peer {
    private final int[] ends = new int[2];
    private final Places.Place place;

    private Peer(Origin origin) {
      Sockets.socketpair(ends);
      peers.add(this);
      place = places.take(origin, ends[0]).orElseThrow();
    }

    private void speak() {
      try (NativeBuffer buffer = new NativeBuffer(1)) {
        assertEquals(1, Posix.write(ends[1], buffer.address(), 1));
      }
    }

    /** Whether the daemon has ended the connection. */
    private boolean isDropped() {
      return Sockets.ready(ends[1]);
    }
  }

  private boolean isFull(Origin origin) {
    int[] ends = new int[2];
    Sockets.socketpair(ends);
    boolean full = places.take(origin, ends[0]).isEmpty();
    Posix.close(ends[0]);
    Posix.close(ends[1]);
    return full;
  }

  @AfterEach
  void close() {
    places.close();
    for (Peer peer : peers) {
      peer.place.close();
      Posix.close(peer.ends[0]);
      Posix.close(peer.ends[1]);
    }
  }

  @Test
  void theOldestSilentConnectionOfAPeerMakesRoomForItsNext() {
    Peer bobs = new Peer(BOB);
    Peer first = new Peer(ALICE);
    Peer second = new Peer(ALICE);
    Peer third = new Peer(ALICE);
    assertTrue(first.isDropped());
    for (Peer stays : List.of(bobs, second, third)) {
      assertFalse(stays.isDropped());
    }
  }

  @Test
  void whereAllAreTakenTheOldestSilentOneMakesRoom() {
    Peer first = new Peer(ALICE);
    new Peer(ALICE);
    new Peer(BOB);
    new Peer(BOB);
    assertTrue(first.isDropped());
  }

  @Test
  void whoHasSpokenMakesNoRoom() {
    Peer speaks = new Peer(ALICE);
    speaks.speak();
    Peer silent = new Peer(ALICE);
    new Peer(ALICE);
    assertFalse(speaks.isDropped());
    assertTrue(silent.isDropped());
  }

  @Test
  void whomTheDaemonWorksForMakesNoRoom() {
    Peer one = new Peer(ALICE);
    Peer other = new Peer(ALICE);
    one.place.working();
    other.place.working();
    assertTrue(isFull(ALICE));
    one.place.waiting();
    new Peer(ALICE);
    assertTrue(one.isDropped());
    assertFalse(other.isDropped());
  }

  @Test
  void whoHasJustBeenAnsweredIsTheLastToMakeRoom() {
    Peer one = new Peer(ALICE);
    Peer other = new Peer(ALICE);
    one.place.working();
    one.place.waiting();
    new Peer(ALICE);
    assertFalse(one.isDropped());
    assertTrue(other.isDropped());
  }

  @Test
  void aPlaceIsFreeOnceItsConnectionHasLeft() {
    Peer one = new Peer(ALICE);
    Peer other = new Peer(ALICE);
    other.place.close();
    new Peer(ALICE);
    assertFalse(one.isDropped());
    assertFalse(other.isDropped());
  }

  @Test
  void closingEndsAllConnectionsAndLetsNobodyIn() {
    Peer one = new Peer(ALICE);
    Peer other = new Peer(BOB);
    places.close();
    assertTrue(one.isDropped());
    assertTrue(other.isDropped());
    assertTrue(isFull(ALICE));
    assertTrue(places.await(ALICE, one.ends[0]).isEmpty());
  }
}
