// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which connections are let in, and which are dropped for them. */
final class DoorTest {
  private static final Duration FIRST = Duration.ofSeconds(10);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final BlockingQueue<Door.Visitor> guests = new LinkedBlockingQueue<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Socket> clients = new ArrayList<>();
  private Door door;

  @BeforeEach
  void open() throws IOException {
    ServerSocket listener = new ServerSocket(0, Door.MOST, InetAddress.getLoopbackAddress());
    door = new Door(listener, FIRST, nanos::get, this::stay);
  }

  @AfterEach
  void close() throws IOException {
    end.countDown();
    door.close();
    for (Socket client : clients) {
      client.close();
    }
  }

  private void stay(Door.Visitor visitor) {
    guests.add(visitor);
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void connect(int host) throws IOException {
    clients.add(
        new Socket(
            InetAddress.getLoopbackAddress(),
            door.address().getPort(),
            InetAddress.getByName("127.0.0." + host),
            0));
  }

  private Door.Visitor visit(int host) throws Exception {
    connect(host);
    Door.Visitor visitor = guests.take();
    nanos.incrementAndGet();
    return visitor;
  }

  private static boolean isDropped(Door.Visitor visitor) {
    return visitor.socket().isClosed();
  }

  @Test
  void theOneThatIsWaitedForLongestIsDroppedForANewOne() throws Exception {
    Door.Visitor first = visit(1);
    Door.Visitor second = visit(1);
    for (int i = 2; i < Door.MOST_OF_ADDRESS; i++) {
      Door.Visitor unused = visit(1);
    }
    first.waits(FIRST);
    assertFalse(isDropped(visit(1)));
    assertTrue(isDropped(second));
    assertFalse(isDropped(first));
  }

  @Test
  void oneAddressTakesNoRoomOfOthers() throws Exception {
    Door.Visitor other = visit(2);
    for (int i = 0; i < 2 * Door.MOST_OF_ADDRESS; i++) {
      Door.Visitor unused = visit(1);
    }
    assertFalse(isDropped(other));
  }

  @Test
  void whatIsAtWorkIsNotDroppedAndLeavesRoom() throws Exception {
    List<Door.Visitor> atWork = new ArrayList<>();
    for (int i = 0; i < 3 * Door.MOST; i++) {
      Door.Visitor visitor = visit(1 + i % 20);
      if (visitor.works()) {
        atWork.add(visitor);
      }
    }
    assertEquals(Door.MOST / 2, atWork.size());
    assertTrue(atWork.stream().noneMatch(DoorTest::isDropped));
    assertFalse(isDropped(visit(1)));
  }

  @Test
  void oneAddressHasHalfOfItsConnectionsAtWork() throws Exception {
    int atWork = 0;
    for (int i = 0; i < Door.MOST_OF_ADDRESS; i++) {
      atWork += visit(1).works() ? 1 : 0;
    }
    assertEquals(Door.MOST_OF_ADDRESS / 2, atWork);
    assertTrue(visit(2).works());
  }

  @Test
  void itWaitsForARequestSoLongAndNotForWork() throws Exception {
    Door.Visitor silent = visit(1);
    Door.Visitor atWork = visit(1);
    Door.Visitor idle = visit(1);
    assertTrue(atWork.works());
    idle.waits(FIRST.plus(FIRST));
    nanos.addAndGet(FIRST.toNanos() - 10);
    door.dropLate();
    assertFalse(isDropped(silent));
    nanos.addAndGet(10);
    door.dropLate();
    assertTrue(isDropped(silent));
    assertFalse(isDropped(atWork));
    assertFalse(isDropped(idle));
  }
}
