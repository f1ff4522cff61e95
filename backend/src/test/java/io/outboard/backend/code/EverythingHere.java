// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.offload.Offloaded;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The implementation. */
@Offloaded
public final class EverythingHere implements Everything {
  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch never = new CountDownLatch(1);

  /** How often {@link #count} ran. */
  int counted() {
    return calls.get();
  }

  @Override
  public Whole same(Whole whole) {
    return whole;
  }

  @Override
  public long[] sums(
      boolean a,
      byte b,
      short c,
      char d,
      int e,
      long f,
      float g,
      double h,
      Integer boxed,
      List<Long> more) {
    return new long[] {
      (a ? 1 : 0) + b + c + d + e + f,
      Float.floatToRawIntBits(g),
      Double.doubleToRawLongBits(h),
      boxed,
      more.stream().mapToLong(Long::longValue).sum()
    };
  }

  @Override
  public void fail(String text, int how) throws FirstException {
    switch (how) {
      case 0 -> throw new FirstException(text);
      case 1 -> throw new SecondException(text);
      case 2 -> throw new IllegalStateException(text);
      case 3 -> throw new FirstException(null);
      default -> fail(text, how);
    }
  }

  @Override
  public int count() {
    return calls.incrementAndGet();
  }

  @Override
  public void await() throws InterruptedException {
    never.await();
  }

  @Override
  public List<Byte> list(int length) {
    return Collections.nCopies(length, (byte) 1);
  }
}
