// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnnouncedEndsTest {
  private static final int REFUSED = OpenClResult.INVALID_COMMAND_QUEUE;

  private final List<String> done = new ArrayList<>();

  private AnnouncedEnds over(int waits, int reads) {
    OpenClDriver host =
        PretendedDriver.create(
            OpenClDriver.class,
            0,
            (call, arguments) -> {
              done.add(call);
              return call.equals("outboardRead") ? reads : waits;
            });
    return new AnnouncedEnds(host, () -> done.add("announced"));
  }

  @Test
  void theProgramWakesWhileWhatItReadsIsRead() {
    try (Room read = new Room(Integer.BYTES)) {
      assertEquals(0, over(0, REFUSED).outboardWaitRead(1, 0, 2, 3, 0, 4, 0, read.address()));
      assertEquals(List.of("outboardWaitTimed", "announced", "outboardRead"), done);
      assertEquals(REFUSED, Native.getInt(read.address()));
    }
  }

  @Test
  void afterAWaitThatFailedNothingIsRead() {
    assertEquals(REFUSED, over(REFUSED, 0).outboardWaitRead(1, 0, 2, 3, 0, 4, 0, 0));
    assertEquals(List.of("outboardWaitTimed", "announced"), done);
  }

  @Test
  void everyWaitIsAnnounced() {
    AnnouncedEnds driver = over(0, 0);
    assertEquals(0, driver.clFinish(1) | driver.clWaitForEvents(1, 0));
    assertEquals(0, driver.outboardRead(1, 2, 0, 4, 0, 0, 0));
    assertEquals(3, done.stream().filter("announced"::equals).count());
  }
}
