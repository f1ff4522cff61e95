// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import io.outboard.testkit.Amount;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The link between two hosts is cut while one program works on the devices of both. */
final class CutHostsTest {
  /** Longer than a host that waits takes to see that the other one is silent. */
  private static final long GRACE = Patience.of(Duration.ofSeconds(8)).toSeconds();

  @RegisterExtension static final Backend FAR = new Backend("software", "--grace=" + GRACE + "s");

  /** The session is open after so many, which are not sent twice. */
  private static final int OPENING = 16_000;

  /** More than a greeting has of one that comes back. */
  private static final int RETURN = 400;

  private static final int MOST = 200_000;
  private static final int CUTS = 6;

  private final Random random = new Random(20261126);

  private static Backend near(Proxy proxy) throws IOException {
    Path token = FAR.folder().resolve("outboard/token");
    Backend near =
        new Backend("software", "--join=" + proxy.endpoint(), "--join-token-file=" + token);
    near.beforeAll(null);
    return near;
  }

  private static Proxy proxy(List<Cut> cuts) throws IOException {
    return new Proxy(FAR.tcp(), cuts);
  }

  private List<Cut> cuts() {
    List<Cut> cuts = new ArrayList<>(List.of(cut(OPENING)));
    while (cuts.size() < CUTS) {
      cuts.add(cut(RETURN));
    }
    return cuts;
  }

  private Cut cut(int least) {
    List<Proxy.How> all = List.of(Proxy.How.values());
    Proxy.How how = all.get(random.nextInt(all.size()));
    boolean toBackend = random.nextBoolean();
    return new Cut(how, toBackend, least + random.nextInt(MOST));
  }

  /** The results are those of devices of one host. */
  @Test
  void theSessionGoesOn() throws Exception {
    Leftovers before = Leftovers.ofIdle(FAR);
    int made = 0;
    for (int i = 0; i < Amount.of(1, 30); i++) {
      made += cutsSurvived();
    }
    assertTrue(made >= CUTS, made + " cuts");
    before.awaitSame();
  }

  private int cutsSurvived() throws Exception {
    List<Cut> cuts = cuts();
    try (Proxy proxy = proxy(cuts)) {
      Backend near = near(proxy);
      try {
        Leftovers before = Leftovers.ofIdle(near);
        for (String topic : List.of("multi", "copies", "random", "events", "graphs")) {
          Program.prints("ok", "severalHosts", topic, near.variables(near.endpoints().getFirst()));
        }
        before.awaitSame();
        return proxy.made();
      } finally {
        near.afterAll(null);
      }
    }
  }

  /** A program that works on the other host until that is lost, and then on this one alone. */
  private static final class Working implements AutoCloseable {
    private final Process program;
    private final BufferedReader lines;
    private final List<String> said = new ArrayList<>();

    Working(Backend near) throws IOException {
      ProcessBuilder builder =
          new ProcessBuilder(Home.PROGRAMS.resolve("severalHosts").toString(), "lost")
              .redirectErrorStream(true);
      Program.setVariables(builder, near.variables(near.endpoints().getFirst()));
      program = builder.start();
      lines = new BufferedReader(new InputStreamReader(program.getInputStream(), UTF_8));
      awaitLine("ready");
    }

    void awaitLine(String part) throws IOException {
      String line;
      do {
        line = lines.readLine();
        assertTrue(line != null, said::toString);
        said.add(line);
      } while (!line.contains(part));
    }

    /** The loss was seen by the connection's end, and not because nothing came over it. */
    void awaitEnd() throws Exception {
      lines.lines().forEach(said::add);
      assertEquals(0, Patience.exit(program, said::toString), said::toString);
      assertFalse(said.toString().contains("silent"), said::toString);
      assertEquals("ok", said.getLast(), said::toString);
    }

    @Override
    public void close() {
      program.destroyForcibly();
    }
  }

  @Test
  void afterTheGracePeriodItsDevicesAreLostAndTheOthersGoOn() throws Exception {
    try (Proxy proxy = proxy(List.of())) {
      Backend near = near(proxy);
      try (Working working = new Working(near)) {
        proxy.off();
        working.awaitLine("is lost: the backend has gone; trying for " + GRACE + " s");
        working.awaitEnd();
        assertEquals(1, working.said.stream().filter(line -> line.contains("trying for")).count());
      } finally {
        near.afterAll(null);
      }
    }
  }

  /** Another daemon connects the worker that the one before has left. */
  @Test
  void theSessionGoesOnWithTheNextDaemon() throws Exception {
    try (Proxy proxy = proxy(List.of())) {
      Backend near = near(proxy);
      try (Working working = new Working(near)) {
        near.replace();
        proxy.off();
        working.awaitLine("is lost");
        proxy.on();
        working.awaitLine("is back");
        FAR.worker(working.program.toHandle()).destroyForcibly();
        working.awaitEnd();
      } finally {
        near.afterAll(null);
      }
    }
  }
}
