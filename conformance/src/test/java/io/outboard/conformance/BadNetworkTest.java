// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.testkit.Amount;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A connection that is slow, is cut or falls silent, and a backend that is not there. */
final class BadNetworkTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software", "--grace=0");

  private static final String NO_BACKEND = "error 46 cuInit(0)\n";

  private static final int MET_AN_ERROR = 3;

  /** About as many bytes as the program sends, so that some faults come too late to matter. */
  private static final int BYTES = 500_000;

  private static final int AT_ONCE = 7;

  /** By itself a connection that nobody answers is given up after more than two minutes. */
  private static final Duration BEFORE_THE_KERNEL = Duration.ofSeconds(60);

  private final Random random = new Random(20261121);

  @Test
  void aConnectionIsRightOrAnError() throws Exception {
    Leftovers before = Leftovers.ofIdle(BACKEND);
    List<Fault> faults = Fault.OF_NETWORKS;
    List<Future<?>> clients = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (int i = 0; i < Amount.of(6, 120); i++) {
        Fault fault = faults.get(i % faults.size());
        long seed = random.nextLong();
        long whole = random.nextInt(BYTES);
        clients.add(threads.submit(() -> through(fault, seed, whole)));
      }
      clients.add(threads.submit(BadNetworkTest::nobodyAnswers));
      for (Future<?> client : clients) {
        client.get();
      }
    }
    before.awaitSame();
  }

  private static Void through(Fault fault, long seed, long whole) throws Exception {
    try (Proxy proxy = new Proxy(BACKEND.tcp(), fault, seed, whole)) {
      Program.Ended ended = steady(proxy.endpoint());
      if (ended.status() == 0) {
        assertTrue(ended.output().endsWith("ok\n"), ended::toString);
        assertEquals("", ended.errors(), ended::toString);
      } else {
        assertTrue(fault != Fault.DELAY, ended::toString);
        assertError(ended);
      }
    }
    return null;
  }

  private static void assertError(Program.Ended ended) {
    assertEquals(MET_AN_ERROR, ended.status(), ended::toString);
    assertTrue(ended.errors().matches("outboard: .*\n"), ended::toString);
  }

  private static Program.Ended steady(String endpoint) throws Exception {
    Map<String, String> variables = new HashMap<>(BACKEND.variables(BACKEND.tcp()));
    variables.put("OUTBOARD", endpoint);
    List<String> command = List.of(Home.PROGRAMS.resolve("steady").toString(), "3");
    return Program.run(command, variables, BEFORE_THE_KERNEL);
  }

  @Test
  void nobodyListens() throws Exception {
    isNoBackend("unix:" + BACKEND.folder().resolve("nobody"));
    isNoBackend("tcp://127.0.0.1:" + unusedPort());
  }

  private static int unusedPort() throws IOException {
    try (ServerSocket once = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return once.getLocalPort();
    }
  }

  /** Takes its time, so it runs beside the others. */
  private static Void nobodyAnswers() throws Exception {
    try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<Socket> queue = new ArrayList<>();
      // Its queue is full then, and the kernel drops who asks to be let in.
      for (int i = 0; i < 2; i++) {
        queue.add(new Socket(InetAddress.getLoopbackAddress(), deaf.getLocalPort()));
      }
      isNoBackend("tcp://127.0.0.1:" + deaf.getLocalPort());
      for (Socket socket : queue) {
        socket.close();
      }
    }
    return null;
  }

  private static void isNoBackend(String endpoint) throws Exception {
    Program.Ended ended = steady(endpoint);
    assertError(ended);
    assertEquals(NO_BACKEND, ended.output());
  }
}
