// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.slices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.quota.SlicePlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** On a clock of its own: a minute takes a moment. */
final class SliceOrderTest {
  private static final long MS = 1_000_000;
  private static final long MINUTE = 60_000 * MS;
  private static final long STEP = MS / 2;

  private final SliceOrder order = new SliceOrder();
  private final List<Tenant> tenants = new ArrayList<>();
  private long now = 1_000 * MS;
  private long lost;

  /** Work as a program has it; when it is told to give the device back, its last kernel runs on. */
  private final class Tenant {
    private final SliceOrder.Party party;
    private final Random random;
    private final long longestKernel;
    private boolean has;
    private long had;
    private long waitedSince;
    private long longestWait;
    private long givesBack;
    // Wants the device always, or only now and then.
    private long busyUntil = Long.MAX_VALUE;
    private long idleUntil;
    private boolean comesAndGoes;

    Tenant(int share, long longestKernel, int seed) {
      this.party = order.join(share);
      this.longestKernel = longestKernel;
      this.random = new Random(seed);
      tenants.add(this);
    }

    Tenant comesAndGoes() {
      comesAndGoes = true;
      busyUntil = 0;
      return this;
    }

    boolean wants() {
      if (comesAndGoes && now >= busyUntil && now >= idleUntil) {
        idleUntil = now + random.nextInt(40) * MS;
        busyUntil = idleUntil + 1 + random.nextInt(30) * MS;
      }
      return now >= idleUntil;
    }

    void live(SliceOrder.Party holder) {
      has |= holder == party;
      if (has) {
        waitedSince = 0;
        hold();
        had += has ? STEP : 0;
      } else if (wants()) {
        waitedSince = waitedSince == 0 ? now : waitedSince;
        longestWait = Math.max(longestWait, now - waitedSince);
        order.wants(party, now);
      }
    }

    private void hold() {
      boolean yields = order.demand(party) == SlicePlace.YIELD;
      if (yields && givesBack == 0) {
        givesBack = now + (long) (random.nextDouble() * 2 * longestKernel);
      }
      boolean idle = !wants() && order.demand(party) != SlicePlace.NONE;
      if (idle || (yields && now >= givesBack)) {
        givesBack = 0;
        has = false;
        order.left(party, now);
      }
    }
  }

  private void pass(long time) {
    long end = now + time;
    for (; now < end; now += STEP) {
      SliceOrder.Party holder = order.step(now);
      boolean wanted = tenants.stream().anyMatch(tenant -> tenant.waitedSince != 0);
      lost += holder == null && wanted ? STEP : 0;
      tenants.forEach(tenant -> tenant.live(holder));
    }
  }

  private static double ratio(Tenant one, Tenant other) {
    return (double) one.had / other.had;
  }

  @Test
  void eightEqualTenantsGetTheSame() {
    for (int i = 0; i < 8; i++) {
      new Tenant(125, (i + 1) * MS, i);
    }
    pass(MINUTE);
    long least = tenants.stream().mapToLong(tenant -> tenant.had).min().orElseThrow();
    long most = tenants.stream().mapToLong(tenant -> tenant.had).max().orElseThrow();
    assertTrue(most < 1.02 * least, least + " to " + most);
    assertEquals(0, lost);
  }

  @Test
  void halfTheShareIsHalfTheTime() {
    Tenant whole = new Tenant(500, 10 * MS, 1);
    Tenant half = new Tenant(250, MS, 2);
    Tenant small = new Tenant(50, 5 * MS, 3);
    pass(MINUTE);
    assertEquals(0.5, ratio(half, whole), 0.02);
    assertEquals(0.1, ratio(small, whole), 0.01);
  }

  @Test
  void whatOneDoesNotUseOthersGet() {
    Tenant busy = new Tenant(100, MS, 1);
    Tenant rare = new Tenant(900, MS, 2).comesAndGoes();
    pass(MINUTE);
    assertTrue(busy.had + rare.had > 0.95 * MINUTE, busy.had + ", " + rare.had);
    assertTrue(busy.had > 0.3 * MINUTE, "it has much more than its share: " + busy.had);
    assertTrue(rare.longestWait < 50 * MS, "and the other one gets its own soon");
  }

  @Test
  void timeThatNobodyElseWantedIsNotPaidForLater() {
    Tenant first = new Tenant(500, MS, 1);
    pass(MINUTE);
    assertTrue(first.had >= MINUTE - 2 * STEP, () -> "it had " + first.had);
    Tenant second = new Tenant(500, MS, 2);
    long before = first.had;
    pass(MINUTE);
    assertEquals(1, (double) (first.had - before) / second.had, 0.02);
    assertTrue(first.longestWait < 100 * MS, () -> "it waited " + first.longestWait);
  }

  @Test
  void timeThatOneDidNotWantIsNotSavedUp() {
    Tenant busy = new Tenant(500, MS, 1);
    Tenant late = new Tenant(500, MS, 2);
    late.idleUntil = now + MINUTE;
    pass(MINUTE);
    assertEquals(0, late.had);
    pass(1_000 * MS);
    assertTrue(busy.longestWait < 100 * MS, () -> "it waited " + busy.longestWait);
  }

  @Test
  void aShareChangesWhileProgramsRun() {
    Tenant one = new Tenant(500, MS, 1);
    Tenant other = new Tenant(500, MS, 2);
    pass(MINUTE);
    assertEquals(1, ratio(one, other), 0.02);
    order.share(one.party, 125, now);
    long before = one.had;
    long otherBefore = other.had;
    pass(MINUTE);
    assertEquals(0.25, (double) (one.had - before) / (other.had - otherBefore), 0.01);
  }

  @Test
  void nobodyStarvesWhateverTheOthersDo() {
    for (int seed = 0; seed < 20; seed++) {
      SliceOrderTest round = new SliceOrderTest();
      Random random = new Random(seed);
      int left = 1000;
      for (int i = 0; i < 2 + random.nextInt(7); i++) {
        int share = 1 + random.nextInt(Math.max(1, left / 3));
        left -= share;
        Tenant tenant = round.new Tenant(share, (1 + random.nextInt(12)) * MS, i);
        if (random.nextBoolean()) {
          tenant.comesAndGoes();
        }
      }
      int used = 1000 - left;
      round.pass(MINUTE);
      assertEquals(0, round.lost, "seed " + seed);
      for (Tenant tenant : round.tenants) {
        double own = (double) tenant.party.share() / used;
        boolean always = !tenant.comesAndGoes;
        assertTrue(
            !always || tenant.had > 0.9 * own * MINUTE,
            "seed %d: %d of %.0f".formatted(seed, tenant.had, own * MINUTE));
        double longest = 500 * MS + 50 * MS / own;
        assertTrue(
            tenant.longestWait < longest,
            "seed %d: %d, not %.0f".formatted(seed, tenant.longestWait, longest));
      }
    }
  }

  @Test
  void whoDoesNotGiveTheDeviceBackIsNotWaitedForAndPays() {
    SliceOrder.Party slow = order.join(500);
    SliceOrder.Party other = order.join(500);
    order.wants(slow, now);
    assertSame(slow, order.step(now));
    order.wants(other, now);
    now += SliceOrder.SLICE_NS;
    assertSame(slow, order.step(now));
    assertEquals(SlicePlace.YIELD, order.demand(slow));
    now += SliceOrder.GRACE_NS;
    assertSame(other, order.step(now));
    assertEquals(SlicePlace.YIELD, order.demand(slow), "it may begin nothing");
    now += 1_000 * MS;
    assertSame(other, order.step(now), "the slow one has had as much meanwhile");
    order.left(other, now);
    assertSame(slow, order.step(now), "its next piece may be what the long one waits for");
    assertEquals(SlicePlace.NONE, order.demand(slow));
  }

  @Test
  void whoHasGoneIsForgotten() {
    SliceOrder.Party one = order.join(500);
    SliceOrder.Party other = order.join(500);
    order.wants(one, now);
    order.wants(other, now);
    assertSame(one, order.step(now));
    order.leave(one, now + MS);
    assertSame(other, order.step(now + MS));
    order.leave(other, now + MS);
    assertNull(order.step(now + MS));
    assertEquals(SliceOrder.NEVER, order.next(now + MS));
  }
}
