// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.quota.SlicePlace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers and the daemon on a clock of their own. */
final class SliceMeterTest {
  private static final int KERNEL_US = 1_000;

  private SlicedWorld world;

  @BeforeEach
  void begin() throws IOException {
    world = new SlicedWorld();
  }

  @AfterEach
  void close() {
    world.close();
  }

  private SlicedWorld.Program program(int share, int kernelUs) throws IOException {
    return world.new Program(share, kernelUs);
  }

  /** Kernels that each has done in some seconds. */
  private List<Long> done(double seconds, SlicedWorld.Program... programs) {
    List<Long> before = new ArrayList<>();
    for (SlicedWorld.Program program : programs) {
      before.add(program.gpu().done());
    }
    world.pass(seconds);
    List<Long> done = new ArrayList<>();
    for (int i = 0; i < programs.length; i++) {
      done.add(programs[i].gpu().done() - before.get(i));
    }
    return done;
  }

  private double ratio(SlicedWorld.Program one, SlicedWorld.Program other) {
    List<Long> done = done(30, one, other);
    return (double) done.getFirst() / done.getLast();
  }

  @Test
  void timeFollowsTheSharesAlsoWhenTheyChange() throws IOException {
    SlicedWorld.Program one = program(500, KERNEL_US);
    SlicedWorld.Program other = program(250, KERNEL_US);
    assertEquals(2, ratio(one, other), 0.04);
    one.share(125);
    assertEquals(0.5, ratio(one, other), 0.01);
  }

  @Test
  void eightEqualOnesGetTheSame() throws IOException {
    SlicedWorld.Program[] programs = new SlicedWorld.Program[8];
    for (int i = 0; i < programs.length; i++) {
      programs[i] = program(125, KERNEL_US);
    }
    List<Long> done = done(30, programs);
    assertTrue(Collections.max(done) < 1.02 * Collections.min(done), done::toString);
    long all = done.stream().mapToLong(Long::longValue).sum();
    assertTrue(
        all > 0.9 * 30 * SlicedWorld.SECOND / SlicedWorld.MICROSECOND / KERNEL_US, done::toString);
  }

  @Test
  void programsOfOneLeaseHaveItsShareTogether() throws IOException {
    SlicedWorld.Lease lease = world.new Lease(500);
    SlicedWorld.Program first = world.new Program(lease, KERNEL_US);
    SlicedWorld.Program second = world.new Program(lease, KERNEL_US);
    SlicedWorld.Program other = program(500, KERNEL_US);
    List<Long> done = done(30, first, second, other);
    // Each has a device's queue of its own, so both go on in their lease's slice.
    done.forEach(each -> assertEquals(15_000, each, 300, done::toString));
  }

  @Test
  void longerKernelsAreNoMoreTime() throws IOException {
    SlicedWorld.Program small = program(500, KERNEL_US);
    SlicedWorld.Program large = program(500, 8 * KERNEL_US);
    assertEquals(8, ratio(small, large), 0.4);
  }

  @Test
  void onlyALittleIsUnderWayAndTheDeviceDoesNotWait() throws IOException {
    SlicedWorld.Program alone = program(100, 200);
    assertTrue(done(2, alone).getFirst() > 0.99 * 2 * 5_000, () -> "" + alone.gpu().done());
    assertTrue(alone.gpu().mostUnderWay() <= 2 * 128, () -> "" + alone.gpu().mostUnderWay());
    SlicedWorld.Program slow = program(100, 10 * KERNEL_US);
    world.pass(1);
    assertTrue(slow.gpu().mostUnderWay() <= 4, () -> "" + slow.gpu().mostUnderWay());
  }

  @Test
  void aProgramThatIsAloneHasTheWholeDeviceAndIsBusy() throws IOException {
    SlicedWorld.Program alone = program(100, KERNEL_US);
    SlicedWorld.Program idle = program(900, 0);
    assertTrue(done(10, alone).getFirst() > 9_900, () -> "" + alone.gpu().done());
    assertEquals(0, idle.kill());
    long busy = alone.kill();
    assertEquals(10, (double) busy / SlicedWorld.SECOND, 0.1);
  }

  /** As on a machine whose timers are coarse, or whose processors are wanted by many. */
  @Test
  void aMeterThatWakesLateDoesNotAllowLess() throws IOException {
    SlicedWorld.Program alone = program(100, KERNEL_US / 10);
    alone.wakesLate(6_000 * SlicedWorld.MICROSECOND);
    world.pass(1);
    // Two batches of 4 ms are under way when it falls asleep.
    assertTrue(done(10, alone).getFirst() > 100_000 * 8 / 14, () -> "" + alone.gpu().done());
  }

  @Test
  void aWorkerThatDiesLeavesTheDeviceToOthers() throws IOException {
    SlicedWorld.Program dies = program(900, KERNEL_US);
    SlicedWorld.Program stays = program(100, KERNEL_US);
    world.pass(0.5);
    long unused = dies.kill();
    world.pass(0.1);
    assertTrue(done(10, stays).getFirst() > 9_900, () -> "" + stays.gpu().done());
  }

  @Test
  void aSuspendedProgramHasNoSliceAndLeavesTheDriverAlone() throws IOException {
    SlicedWorld.Program program = program(500, KERNEL_US);
    world.pass(0.3);
    SlicePlace place = program.slice();
    assertTrue(SlicePlace.wants(place.request()), "nobody else wants the device");
    assertFalse(program.rest(), "it works");
    program.kernels(0);
    world.pass(0.1);
    assertTrue(program.rest(), "it has nothing to do any more");
    assertFalse(SlicePlace.wants(place.request()));
    long calls = program.gpu().eventCalls();
    SlicedWorld.Program other = program(500, KERNEL_US);
    assertTrue(done(0.5, other).getFirst() > 490, () -> "" + other.gpu().done());
    assertEquals(calls, program.gpu().eventCalls());
    program.kernels(KERNEL_US);
    List<Long> both = done(10, program, other);
    assertEquals(both.getFirst(), both.getLast(), 0.02 * both.getLast(), "it goes on");
  }

  @Test
  void aKernelThatRunsForLongHoldsUpNeitherItsOwnProgramNorOthers() throws IOException {
    SlicedWorld.Program endless = program(500, 30_000_000);
    SlicedWorld.Program other = program(500, KERNEL_US);
    assertTrue(done(3, other).getFirst() > 1_000, () -> "" + other.gpu().done());
    // Its next pieces may be what the first one waits for.
    assertTrue(endless.gpu().mostUnderWay() > 2, () -> "" + endless.gpu().mostUnderWay());
  }

  /** A driver answers one thread at a time: another one that asks holds up launches. */
  @Test
  void aProgramThatGoesOnAsksForItself() throws IOException {
    SlicedWorld.Program program = program(500, 1);
    AtomicInteger own = new AtomicInteger();
    AtomicInteger others = new AtomicInteger();
    program.gpu().answerSlowly(() -> (program.acts() ? own : others).incrementAndGet());
    long pieces = done(1, program).getFirst();
    assertEquals(0, others.get(), "questions of another thread");
    assertTrue(own.get() < pieces / 100, () -> own + " questions for " + pieces + " pieces");
  }
}
