// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.outboard.communicator.Endpoint;
import io.outboard.wire.Challenge;
import io.outboard.wire.Control;
import io.outboard.wire.Hello;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Silent connections cannot keep a real daemon from serving others. */
final class ConnectionsTest {
  private static final int CONTROLS = 80;
  private static final int SILENT = 500;

  @TempDir private Path folder;
  private ServedPool served;
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeEach
  void serve() throws IOException {
    served = new ServedPool(folder);
  }

  @AfterEach
  void end() throws Exception {
    closePeers();
    served.close();
  }

  private void closePeers() throws Exception {
    for (AutoCloseable peer : open) {
      peer.close();
    }
    open.clear();
  }

  private <T extends AutoCloseable> T kept(T peer) {
    open.add(peer);
    return peer;
  }

  private RawPeer control() throws IOException {
    RawPeer peer = kept(new RawPeer(served.unix()));
    assertInstanceOf(Welcome.class, peer.say(RawPeer.hello(Hello.FLAG_CONTROL)));
    return peer;
  }

  private RawPeer remoteControl() throws IOException {
    RawPeer peer = kept(new RawPeer(served.tcp()));
    Hello hello = RawPeer.hello(Hello.FLAG_CONTROL);
    var challenge = assertInstanceOf(Challenge.class, peer.say(hello));
    assertInstanceOf(Welcome.class, peer.prove(served.token, hello, challenge));
    return peer;
  }

  private static void assertAnswered(RawPeer peer) throws IOException {
    assertEquals(Control.Kind.DONE, peer.ask("devices").kind());
  }

  /** Does not wait for the connection: the kernel makes it when the daemon has room. */
  private SocketChannel silent(Endpoint endpoint) throws IOException {
    SocketChannel socket = kept(SocketChannel.open());
    socket.configureBlocking(false);
    socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()));
    return socket;
  }

  /** The oldest makes room before it has had all of its time: one that came later has it still. */
  @Test
  void idleControlConnectionsKeepNobodyOut() throws IOException {
    RawPeer oldest = control();
    RawPeer later = oldest;
    for (int i = 1; i < CONTROLS; i++) {
      later = control();
    }
    assertAnswered(control());
    assertAnswered(remoteControl());
    oldest.awaitEnd();
    assertAnswered(later);
  }

  /** The local user is served before the last of the silent peers has had all of its time. */
  @Test
  void silentPeersDelayNoLocalGreeting() throws Exception {
    RawPeer oldest = kept(new RawPeer(served.tcp()));
    SocketChannel last = null;
    for (int i = 1; i < SILENT; i++) {
      last = silent(served.tcp());
    }
    oldest.awaitEnd();
    assertAnswered(control());
    assertFalse(hasEnded(last), "the greeting came after all of them");
    assertAnswered(remoteControl());
  }

  private static boolean hasEnded(SocketChannel silent) throws IOException {
    return silent.finishConnect() && silent.read(ByteBuffer.allocate(1)) < 0;
  }

  @Test
  void nothingIsLeftOfThem() throws Exception {
    openSession();
    assertAnswered(remoteControl());
    closePeers();
    awaitNoGreeting();
    served.awaitNoSession();
    long before = descriptors();
    for (int i = 0; i < CONTROLS; i++) {
      control();
      kept(new RawPeer(served.unix()));
      kept(new RawPeer(served.tcp()));
    }
    closePeers();
    awaitNoGreeting();
    while (descriptors() > before) {
      Thread.sleep(10);
    }
  }

  /** The first worker has come and gone then: from now on no descriptor is the daemon's own. */
  private void openSession() throws IOException {
    assertInstanceOf(Welcome.class, kept(new RawPeer(served.unix())).say(RawPeer.hello(0)));
  }

  @Test
  void theyEndWithTheDaemon() throws Exception {
    RawPeer control = control();
    RawPeer silent = kept(new RawPeer(served.tcp()));
    served.close();
    control.awaitEnd();
    silent.awaitEnd();
    awaitNoGreeting();
  }

  private static void awaitNoGreeting() throws InterruptedException {
    while (Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("greeting"))) {
      Thread.sleep(10);
    }
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }
}
