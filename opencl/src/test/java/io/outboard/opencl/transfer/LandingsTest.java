// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.opencl.vendor.Place;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much is on its way at most, with a device that is done when the test says so. */
class LandingsTest {
  private static final int BYTES = 1_000;
  private static final long BOUND = 2 * BYTES;
  private static final long EVENT = 9;
  private static final int RUNNING = 1;
  private static final int COMPLETE = 0;
  private static final int WAIT = 1;

  private final Arena arena = Arena.ofConfined();
  private final long data = arena.allocate(BYTES).address();
  private final Device device = new Device();
  private final Landings landings = new Landings(device, BOUND);
  private final StagedTransfers staged = new StagedTransfers(null, landings, null, device);

  @AfterEach
  void close() {
    arena.close();
  }

  /** All commands have one event. */
  private static final class Device extends OpenClDriverForwarding {
    private int status = RUNNING;

    Device() {
      super((OpenClDriver) null);
    }

    @Override
    public int clGetEventInfo(long event, int name, long size, long value, long written) {
      Native.putInt(value, status);
      return OpenClResult.SUCCESS;
    }

    @Override
    public int clReleaseEvent(long event) {
      return OpenClResult.SUCCESS;
    }

    @Override
    public int clWaitForEvents(int count, long list) {
      return OpenClResult.SUCCESS;
    }
  }

  private static int enqueue(Place at, long unused) {
    Native.putLong(at.event(), EVENT);
    return OpenClResult.SUCCESS;
  }

  private int read(long landing) {
    return landings.read(landing, BYTES, new Place(1, 0, 0, 0), LandingsTest::enqueue);
  }

  private int write() {
    return landings.write(data, BYTES, new Place(1, 0, 0, 0), LandingsTest::enqueue);
  }

  private int stage(long number) {
    return staged.outboardStage(number, 0, data, BYTES, BYTES);
  }

  private void fetch(long landing) {
    assertEquals(OpenClResult.SUCCESS, landings.land(landing, WAIT, 0, data, BYTES, BYTES));
  }

  @Test
  void readsThatNobodyFetchesAreBounded() {
    for (int round = 0; round < 3; round++) {
      assertEquals(OpenClResult.SUCCESS, read(1));
      assertEquals(OpenClResult.SUCCESS, read(2));
      assertEquals(OpenClResult.OUT_OF_HOST_MEMORY, read(3));
      fetch(1);
      assertEquals(OpenClResult.SUCCESS, read(3));
      fetch(2);
      fetch(3);
    }
  }

  @Test
  void writesThatTheDeviceDoesNotTakeAreBounded() {
    assertEquals(OpenClResult.SUCCESS, write());
    assertEquals(OpenClResult.SUCCESS, write());
    assertEquals(OpenClResult.OUT_OF_HOST_MEMORY, write());
    device.status = COMPLETE;
    for (int i = 0; i < 10; i++) {
      assertEquals(OpenClResult.SUCCESS, write());
    }
  }

  @Test
  void whatIsStagedAndNotTakenIsBounded() {
    assertEquals(OpenClResult.SUCCESS, stage(1));
    assertEquals(OpenClResult.SUCCESS, stage(2));
    assertEquals(OpenClResult.OUT_OF_HOST_MEMORY, stage(3));
    assertEquals(OpenClResult.SUCCESS, stage(2), "in the place of the one that was brought");
    assertEquals(OpenClResult.OUT_OF_HOST_MEMORY, read(1), "they have one bound");
  }

  @Test
  void aReadWhoseNumberIsGivenAgainIsKeptUntilTheDeviceHasEnded() {
    assertEquals(OpenClResult.SUCCESS, read(1));
    assertEquals(OpenClResult.SUCCESS, read(1));
    assertEquals(OpenClResult.OUT_OF_HOST_MEMORY, read(1));
    device.status = COMPLETE;
    assertEquals(OpenClResult.SUCCESS, read(1));
  }

  @Test
  void whatIsSentCountsUntilItIsForgotten() {
    assertEquals(OpenClResult.SUCCESS, read(1));
    assertEquals(OpenClResult.SUCCESS, read(2));
    device.status = COMPLETE;
    assertEquals(OpenClResult.SUCCESS, landings.land(1, WAIT, BYTES, _ -> OpenClResult.SUCCESS));
    assertEquals(OpenClResult.OUT_OF_HOST_MEMORY, read(3));
    landings.forget(1);
    assertEquals(OpenClResult.SUCCESS, read(3));
  }

  @Test
  void whatIsSmallCountsForItsMemory() {
    long many = BOUND / Landings.OVERHEAD + 1;
    for (long i = 0; i < many; i++) {
      assertEquals(
          OpenClResult.SUCCESS, landings.read(i, 0, new Place(1, 0, 0, 0), LandingsTest::enqueue));
    }
    assertEquals(
        OpenClResult.OUT_OF_HOST_MEMORY,
        landings.read(many, 0, new Place(1, 0, 0, 0), LandingsTest::enqueue));
  }

  @Test
  void whatTheDeviceRefusesIsNotOnItsWay() {
    for (int i = 0; i < 10; i++) {
      assertEquals(
          OpenClResult.INVALID_VALUE,
          landings.read(1, BYTES, new Place(1, 0, 0, 0), (_, _) -> OpenClResult.INVALID_VALUE));
    }
    assertEquals(OpenClResult.SUCCESS, read(1));
  }
}
