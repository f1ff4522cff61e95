// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

class LearntEndsTest {
  private static final int RESULT = OpenClResult.INVALID_COMMAND_QUEUE;

  private final List<String> done = new ArrayList<>();

  private LearntEnds over(boolean behind, ToIntFunction<String> host) {
    OpenClDriver driver =
        PretendedDriver.create(
            OpenClDriver.class,
            0,
            (name, arguments) -> {
              done.add(name);
              return host.applyAsInt(name);
            });
    return new LearntEnds(
        driver, () -> done.add("announced"), () -> done.add("printed"), () -> behind);
  }

  private List<String> doneBy(ToIntFunction<OpenClDriver> call) {
    done.clear();
    assertEquals(RESULT, call.applyAsInt(over(true, _ -> RESULT)));
    return done;
  }

  private static List<String> waited(String call) {
    return List.of(call, "announced", "printed");
  }

  @Test
  void theProgramWakesAtTheEndOfEachWaitAndThenHasWhatWasPrinted() {
    assertEquals(waited("clFinish"), doneBy(driver -> driver.clFinish(1)));
    assertEquals(waited("clWaitForEvents"), doneBy(driver -> driver.clWaitForEvents(1, 0)));
    assertEquals(waited("outboardWaitTimed"), doneBy(driver -> driver.outboardWaitTimed(1, 0)));
    assertEquals(
        waited("outboardWaitRead"),
        doneBy(driver -> driver.outboardWaitRead(1, 0, 2, 3, 0, 4, 0, 0)));
    assertEquals(
        waited("outboardRead"), doneBy(driver -> driver.outboardRead(1, 2, 0, 4, 0, 0, 0)));
  }

  @Test
  void whoAsksHasWhatWasPrinted() {
    assertEquals(
        List.of("clGetEventInfo", "printed"),
        doneBy(driver -> driver.clGetEventInfo(1, 2, 4, 0, 0)));
    assertEquals(
        List.of("outboardLand", "printed"),
        doneBy(driver -> driver.outboardLand(1, 0, 0, 0, 4, 4)));
  }

  @Test
  void whatIsNotReadBehindTheEventIsReadWhileTheProgramWakes() {
    try (Room read = new Room(Integer.BYTES)) {
      LearntEnds driver = over(false, name -> name.equals("outboardRead") ? RESULT : 0);
      assertEquals(0, driver.outboardWaitRead(1, 0, 2, 3, 0, 4, 0, read.address()));
      assertEquals(List.of("outboardWaitTimed", "announced", "printed", "outboardRead"), done);
      assertEquals(RESULT, Native.getInt(read.address()));
    }
  }

  @Test
  void afterAWaitThatFailedNothingIsRead() {
    assertEquals(RESULT, over(false, _ -> RESULT).outboardWaitRead(1, 0, 2, 3, 0, 4, 0, 0));
    assertEquals(List.of("outboardWaitTimed", "announced", "printed"), done);
  }
}
