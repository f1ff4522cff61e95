// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.supervision.HostAccess;
import io.outboard.communicator.Endpoint;
import io.outboard.wire.Bytes;
import io.outboard.wire.Message;
import io.outboard.wire.Token;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joined hosts that do not answer. */
final class SilentHostsTest {
  private static final int CHECK_MS = 100;

  @TempDir private Path folder;

  @Test
  void oneIsAskedUntilItAnswers() throws Exception {
    Endpoint host = Endpoint.parse("tcp://far");
    SynchronousQueue<Boolean> answers = new SynchronousQueue<>();
    try (SilentHosts silent = new SilentHosts(_ -> next(answers), Duration.ZERO)) {
      assertFalse(silent.has(host));
      silent.add(host);
      silent.add(host);
      answers.put(false);
      answers.put(false);
      assertTrue(silent.has(host));
      answers.put(true);
      while (silent.has(host)) {
        Thread.sleep(1);
      }
    }
  }

  private static boolean next(SynchronousQueue<Boolean> answers) {
    try {
      return answers.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** It would have waited for 65 seconds. */
  @Test
  void aProgramBeginsWithoutOne() throws Exception {
    Path socket = folder.resolve("silent");
    try (ServerSocketChannel there = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      there.bind(UnixDomainSocketAddress.of(socket));
      Endpoint host = Endpoint.unix(socket.toString());
      try (JoinedHosts joins =
          new JoinedHosts(List.of(new HostAccess(host, Optional.of(Token.random()))), CHECK_MS)) {
        assertEquals(List.of(), joins.open(HostLinks.further(0, Bytes.zero(Message.IDENTITY))));
      }
    }
  }
}
