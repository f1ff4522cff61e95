// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.offload.OffloadException;
import io.outboard.offload.call.OffloadMethod;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Decisions in virtual time: nothing here depends on how fast this machine is. */
final class FastestTest {
  private static final long SEED = 59;
  private static final int LINKS = 30;
  private static final int CALLS = 2_000;
  private static final double MS = 1e6;

  private final AtomicLong now = new AtomicLong();
  private final Fastest fastest = new Fastest(Duration.ZERO, now::get);

  private static OffloadMethod<Void> method(boolean repeatable) {
    return new OffloadMethod<>(0, "method", repeatable, _ -> null, (_, _) -> null);
  }

  /** A call, where it is decided; returns what it took. */
  private static double call(
      Fastest decides, OffloadMethod<?> method, long size, double local, double remote) {
    boolean there = decides.isRemote(method, size);
    double taken = there ? remote : local;
    decides.ended(method, size, there, (long) taken);
    return taken;
  }

  /**
   * A link and a method: what it takes here, and there.
   *
   * @param roundTrip nanoseconds
   * @param perByte nanoseconds
   * @param work nanoseconds a byte on the device
   * @param faster how much faster the backend is
   */
  private record Shape(double roundTrip, double perByte, double work, double faster) {
    static Shape random(Random random) {
      return new Shape(
          0.2 * MS * Math.pow(1000, random.nextDouble()),
          8 * Math.pow(1000, random.nextDouble()),
          Math.pow(10_000, random.nextDouble()),
          1 + 39 * random.nextDouble());
    }

    double local(long size) {
      return work * size;
    }

    double remote(long size) {
      return roundTrip + perByte * size + work * size / faster;
    }

    /** Ten times narrower and longer. */
    Shape worse() {
      return new Shape(10 * roundTrip, 10 * perByte, work, faster);
    }
  }

  /** Sums of what calls took by decisions, by an oracle that knows, and always there or here. */
  private static final class Sums {
    private double decided;
    private double oracle;
    private double there;
    private double here;
    private double rapid;
  }

  private static void run(Shape link, Random random, Sums sums) {
    Fastest decides = new Fastest(Duration.ZERO, () -> 0);
    RapidRule rapid = new RapidRule();
    OffloadMethod<Void> method = method(true);
    for (int i = 0; i < CALLS; i++) {
      Shape now = i < CALLS / 2 ? link : link.worse();
      long size = 1L << (6 + 4 * random.nextInt(4));
      double local = now.local(size) * (0.9 + 0.2 * random.nextDouble());
      double remote = now.remote(size) * (0.9 + 0.2 * random.nextDouble());
      sums.decided += call(decides, method, size, local, remote);
      sums.oracle += Math.min(local, remote);
      sums.rapid += rapid.call(8e9 / now.perByte(), local, remote);
      sums.there += remote;
      sums.here += local;
    }
  }

  @Test
  void decisionsAreNearlyThoseOfWhoKnows() {
    Random random = new Random(SEED);
    Sums all = new Sums();
    double regrets = 0;
    for (int i = 0; i < LINKS; i++) {
      Sums one = new Sums();
      run(Shape.random(random), random, one);
      regrets += one.decided / one.oracle - 1;
      all.decided += one.decided;
      all.oracle += one.oracle;
      all.there += one.there;
      all.here += one.here;
      all.rapid += one.rapid;
    }
    double regret = all.decided / all.oracle - 1;
    System.out.printf(
        "decisions over %d links: regret %.3f, mean of links %.3f; always there %.2f, here %.2f;"
            + " RAPID's rule %.3f%n",
        LINKS,
        regret,
        regrets / LINKS,
        all.there / all.oracle - 1,
        all.here / all.oracle - 1,
        all.rapid / all.oracle - 1);
    assertTrue(regret <= 0.05, () -> "regret " + regret);
    assertTrue(all.decided < Math.min(all.there, all.here));
    assertTrue(all.decided < all.rapid);
  }

  @Test
  void theSideThatIsFasterIsTaken() {
    OffloadMethod<Void> method = method(true);
    for (int i = 0; i < 10; i++) {
      call(fastest, method, 64, 1 * MS, 10 * MS);
    }
    assertFalse(fastest.isRemote(method, 64));
    OffloadMethod<Void> heavy = new OffloadMethod<>(1, "heavy", true, _ -> null, (_, _) -> null);
    for (int i = 0; i < 10; i++) {
      call(fastest, heavy, 64, 100 * MS, 10 * MS);
    }
    assertTrue(fastest.isRemote(heavy, 64));
  }

  @Test
  void energyIsEstimatedByTheProfile() {
    Fastest frugal = new Fastest(Duration.ZERO, new DeviceProfile("a telephone", 4, 1));
    OffloadMethod<Void> method = method(true);
    assertTrue(frugal.estimatedJoules(method, 64, true).isEmpty());
    for (int i = 0; i < 10; i++) {
      call(frugal, method, 64, 10 * MS, 20 * MS);
      call(fastest, method, 64, 10 * MS, 20 * MS);
    }
    // There it takes twice the time, and half of the energy.
    assertTrue(frugal.isRemote(method, 64));
    assertFalse(fastest.isRemote(method, 64));
    assertEquals(0.04, frugal.estimatedJoules(method, 64, false).orElseThrow(), 1e-9);
    assertEquals(0.02, frugal.estimatedJoules(method, 64, true).orElseThrow(), 1e-9);
  }

  /**
   * What calls take here, and there with one processor, where nine of others' come and go; the
   * backend says so at each answer and each five seconds.
   */
  private double besideOthers(boolean told) {
    Fastest decides = new Fastest(Duration.ZERO, now::get);
    OffloadMethod<Void> method = method(true);
    double sum = 0;
    long beat = 0;
    for (int i = 0; i < CALLS; i++) {
      int others = i / 100 % 2 == 0 ? 0 : 9;
      boolean there = decides.isRemote(method, 64);
      double taken = there ? 20 * MS * (1 + others) : 60 * MS;
      now.addAndGet((long) taken);
      if (told && (there || now.get() - beat > 5_000 * MS)) {
        decides.load(others, 1);
        beat = now.get();
      }
      decides.ended(method, 64, there, (long) taken);
      sum += taken;
    }
    return sum / MS / CALLS;
  }

  @Test
  void theQueueOfTheBackendCounts() {
    double known = besideOthers(true);
    double unknown = besideOthers(false);
    System.out.printf("beside others' calls: %.1f ms, without their number %.1f%n", known, unknown);
    // A caller that knows all takes 40; always here it is 60.
    assertTrue(known < 50 && known < 0.9 * unknown, () -> known + " against " + unknown);
  }

  @Test
  void aNumberThatIsOldCountsNoMore() {
    OffloadMethod<Void> method = method(true);
    for (int i = 0; i < 10; i++) {
      call(fastest, method, 64, 60 * MS, 20 * MS);
    }
    fastest.load(9, 1);
    assertFalse(fastest.isRemote(method, 64));
    fastest.load(9, 4);
    assertTrue(fastest.isRemote(method, 64));
    fastest.load(9, 1);
    now.addAndGet(Duration.ofSeconds(61).toNanos());
    assertTrue(fastest.isRemote(method, 64));
  }

  @Test
  void sizesAreToldApart() {
    OffloadMethod<Void> method = method(true);
    for (int i = 0; i < 20; i++) {
      call(fastest, method, 64, 1 * MS, 10 * MS);
      call(fastest, method, 1 << 20, 500 * MS, 20 * MS);
    }
    assertFalse(fastest.isRemote(method, 64));
    assertTrue(fastest.isRemote(method, 1 << 20));
  }

  @Test
  void aSideThatMissesTheDeadlineIsNotTaken() {
    Fastest timely = new Fastest(Duration.ofMillis(20), now::get);
    OffloadMethod<Void> method = method(true);
    // There it takes 10 ms or 30, and here 19: the mean is no help.
    int missed = 0;
    int calls = 1_000;
    for (int i = 0; i < calls; i++) {
      double taken = call(timely, method, 64, 19 * MS, i % 4 == 0 ? 30 * MS : 10 * MS);
      missed += taken > 20 * MS ? 1 : 0;
    }
    int late = missed;
    assertTrue(late <= calls / 20, () -> late + " of " + calls);
  }

  @Test
  void explorationIsBounded() {
    OffloadMethod<Void> method = method(true);
    double spent = 0;
    double lost = 0;
    for (int i = 0; i < 100_000; i++) {
      double taken = call(fastest, method, 64, 1 * MS, 50 * MS);
      spent += taken;
      lost += i > 3 ? taken - 1 * MS : 0;
    }
    double all = spent;
    double part = lost;
    assertTrue(part > 0 && part <= 0.02 * all, () -> part + " of " + all);
  }

  @Test
  void aLostLinkIsNotTakenForAWhile() {
    OffloadMethod<Void> method = method(false);
    OffloadException lost = new OffloadException(OffloadException.Kind.LOST, "lost");
    assertTrue(fastest.isRemote(method, 64));
    assertThrows(OffloadException.class, () -> fastest.fallBack(method, lost));
    assertFalse(fastest.isRemote(method, 64));
    now.addAndGet(Duration.ofMillis(1_001).toNanos());
    assertTrue(fastest.isRemote(method, 64));
    OffloadException not = new OffloadException(OffloadException.Kind.NOT_BEGUN, "not begun");
    fastest.fallBack(method, not);
    now.addAndGet(Duration.ofMillis(1_999).toNanos());
    assertFalse(fastest.isRemote(method, 64));
    now.addAndGet(Duration.ofMillis(2).toNanos());
    assertTrue(fastest.isRemote(method, 64));
  }

  @Test
  void classesArePowersOfTwo() {
    assertEquals(0, Side.of(0));
    assertEquals(6, Side.of(64));
    assertEquals(6, Side.of(127));
    assertEquals(62, Side.of(Long.MAX_VALUE));
  }
}
