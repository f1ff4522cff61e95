// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link Curve}. */
final class CurveTest {
  private static final Curve EARLIER =
      new Curve(
          List.of(new Curve.Point(1, 100), new Curve.Point(101, 200), new Curve.Point(201, 1000)));

  private static long left(int tests, int seconds) {
    return EARLIER.left(tests, Duration.ofSeconds(seconds)).toSeconds();
  }

  @Test
  void aRunAsFastAsTheEarlierOneHasTheRestLeft() {
    assertEquals(1000, left(0, 0));
    assertEquals(950, left(0, 50));
    assertEquals(800, left(101, 200));
    assertEquals(400, left(151, 600));
    assertEquals(0, left(201, 1000));
    assertEquals(0, left(300, 1200));
  }

  @Test
  void aSlowMachineStaysSo() {
    assertEquals(1600, left(101, 400));
    assertEquals(400, left(101, 100));
  }

  @Test
  void aLongBuildIsNoSignOfMore() {
    assertEquals(900, left(0, 500));
  }

  @Test
  void someOfItIsKept(@TempDir Path folder) throws Exception {
    EARLIER.write(folder, "some");
    assertEquals(Optional.of(EARLIER), Curve.read(folder, "some"));
    assertEquals(Optional.empty(), Curve.read(folder, "other"));
    Files.writeString(folder.resolve("some.curve"), "12 x\n");
    assertEquals(Optional.empty(), Curve.read(folder, "some"));
  }
}
