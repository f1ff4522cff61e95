// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

class LearntEndsTest {
  private static final int RESULT = OpenClResult.INVALID_COMMAND_QUEUE;

  private static List<String> doneBy(ToIntFunction<OpenClDriver> call) {
    List<String> done = new ArrayList<>();
    OpenClDriver host =
        PretendedDriver.create(
            OpenClDriver.class,
            0,
            (name, arguments) -> {
              done.add(name);
              return RESULT;
            });
    LearntEnds driver =
        new LearntEnds(host, () -> done.add("announced"), () -> done.add("printed"));
    assertEquals(RESULT, call.applyAsInt(driver));
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
}
