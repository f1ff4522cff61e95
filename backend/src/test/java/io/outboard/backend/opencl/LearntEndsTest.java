// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.opencl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.backend.library.NoOpDriver;
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
        NoOpDriver.create(
            OpenClDriver.class,
            0,
            (name, arguments) -> {
              done.add(name);
              return RESULT;
            });
    LearntEnds driver = new LearntEnds(host, () -> done.add("printed"));
    assertEquals(RESULT, call.applyAsInt(driver));
    return done;
  }

  private static List<String> printed(String call) {
    return List.of(call, "printed");
  }

  @Test
  void aProgramHasWhatWasPrintedAtTheEndOfEachWait() {
    assertEquals(printed("clFinish"), doneBy(driver -> driver.clFinish(1)));
    assertEquals(printed("clWaitForEvents"), doneBy(driver -> driver.clWaitForEvents(1, 0)));
    assertEquals(printed("outboardWaitTimed"), doneBy(driver -> driver.outboardWaitTimed(1, 0)));
    assertEquals(
        printed("outboardRead"), doneBy(driver -> driver.outboardRead(1, 2, 0, 4, 0, 0, 0)));
  }

  @Test
  void aProgramHasWhatWasPrintedAtTheEndOfACopyOfMuch() {
    assertEquals(
        printed("outboardBulkWrite"),
        doneBy(driver -> driver.outboardBulkWrite(1, 2, 0, 4, 1, 1, 0, 0)));
    assertEquals(
        printed("outboardBulkRead"),
        doneBy(driver -> driver.outboardBulkRead(1, 2, 0, 4, 1, 0, 0)));
    assertEquals(
        printed("outboardBulkLand"), doneBy(driver -> driver.outboardBulkLand(1, 0, 4, 1)));
  }

  @Test
  void aProgramThatAsksHasWhatWasPrinted() {
    assertEquals(printed("clGetEventInfo"), doneBy(driver -> driver.clGetEventInfo(1, 2, 4, 0, 0)));
    assertEquals(printed("outboardLand"), doneBy(driver -> driver.outboardLand(1, 0, 0, 0, 4, 4)));
  }
}
