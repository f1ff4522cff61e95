// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.api.json.Json;
import io.outboard.pool.lease.Form;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code top} shows of devices. */
final class TopFrameTest {
  private static Form device(int number) {
    return new Form().with("number", number).with("model", "H200").with("memory", 80L << 30);
  }

  @Test
  void whatADriverSaysIsShownAndTheRestIsADash() {
    Form told = device(0).with("utilization", 37).with("power", 70_123);
    Snapshot now = new Snapshot(1, List.of(told, device(1)), List.of(), List.of(), new Form());
    TopFrame frame =
        new TopFrame(new Snapshot(0, List.of(), List.of(), List.of(), new Form()), now);
    String first = frame.lines().stream().filter(line -> line.startsWith("0 ")).findFirst().get();
    String second = frame.lines().stream().filter(line -> line.startsWith("1 ")).findFirst().get();
    assertTrue(first.contains("37 %") && first.contains("70 W"), first);
    assertTrue(second.matches(".* - +- +- +-"), second);
    String json = Json.write(frame.json());
    assertTrue(json.contains("\"utilization\": 37"), json);
    assertTrue(json.contains("\"temperature\": null"), json);
  }
}
