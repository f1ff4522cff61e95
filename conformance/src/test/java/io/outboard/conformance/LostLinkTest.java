// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.testkit.Amount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A program goes on over another connection when its own is cut, and comes to the same results. */
@Timeout(1800)
final class LostLinkTest {
  @RegisterExtension static final Backend BACKEND = new Backend();

  private static final int ROUNDS = 40;

  /** What the program moves in one round, each way. */
  private static final int ROUND = 80_000;

  private final Random random = new Random(20261124);

  @Test
  void aProgramSurvivesCutsOfItsConnection() throws Exception {
    Leftovers before = Leftovers.ofIdle(BACKEND);
    for (int i = 0; i < Amount.of(2, 100); i++) {
      survives(cuts(20));
    }
    before.awaitSame();
  }

  /** The session is open after the first bytes, which a client does not send twice. */
  private List<CuttingProxy.Cut> cuts(int count) {
    List<CuttingProxy.Cut> cuts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      CuttingProxy.How[] all = CuttingProxy.How.values();
      CuttingProxy.How how = all[random.nextInt(all.length)];
      int bytes = (i == 0 ? ROUND : 0) + random.nextInt(2 * ROUND);
      cuts.add(new CuttingProxy.Cut(how, random.nextBoolean(), bytes));
    }
    return cuts;
  }

  private static void survives(List<CuttingProxy.Cut> cuts) throws Exception {
    int port = Integer.parseInt(BACKEND.tcp().replaceAll(".*:", ""));
    try (CuttingProxy proxy = new CuttingProxy(port, cuts)) {
      Map<String, String> variables = new HashMap<>(BACKEND.variables(BACKEND.tcp()));
      variables.put("OUTBOARD", proxy.endpoint());
      variables.put("OUTBOARD_BULK", "0");
      String program = Home.PROGRAMS.resolve("steady").toString();
      Program.Ended ended = Program.run(List.of(program, Integer.toString(ROUNDS)), variables);
      Program.Ended uncut =
          Program.run(List.of(program, Integer.toString(ROUNDS)), BACKEND.variables(BACKEND.tcp()));
      assertEquals(0, ended.status(), () -> ended + "\n" + cuts + "\n");
      assertEquals(uncut.output(), ended.output());
      assertEquals(cuts.size(), proxy.made(), ended::toString);
      assertTrue(ended.errors().contains("is back"), ended::toString);
    }
  }
}
