// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.offload.OffloadException;
import io.outboard.offload.Range;
import io.outboard.offload.client.Offloading;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Methods that several workers share. */
final class SplitTest {
  private static final int WORKERS = 3;
  private static final int SECONDS = 600;
  private static final long MOST = 1_000;

  private final AtomicInteger calls = new AtomicInteger();
  private final List<CodeServer> servers = new ArrayList<>();
  private final List<Offloading> workers = new ArrayList<>();
  private final CountDownLatch cut = new CountDownLatch(1);
  private Counting counting;

  /** Counts; the second server's link is cut in its first call, for which the others wait. */
  private final class Here implements Counting {
    private final boolean cuts;

    Here(boolean cuts) {
      this.cuts = cuts;
    }

    @Override
    public long sum(Range numbers, int factor) {
      calls.incrementAndGet();
      if (cuts && cut.getCount() > 0) {
        servers.get(1).cut();
        cut.countDown();
      } else if (numbers.length() > 0) {
        await();
      }
      return LongStream.range(numbers.from(), numbers.to()).sum() * factor;
    }

    private void await() {
      try {
        cut.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public List<Long> list(Range numbers) {
      return LongStream.range(numbers.from(), numbers.to()).boxed().toList();
    }

    @Override
    public int fail(Range numbers, String text) throws FirstException {
      if (numbers.from() == 0) {
        throw new FirstException(text);
      }
      return 1;
    }
  }

  @BeforeEach
  void start() throws IOException {
    for (int i = 0; i < WORKERS; i++) {
      servers.add(new CodeServer(new CountingDispatcher(new Here(i == 1)), SECONDS));
      workers.add(servers.get(i).client().build());
    }
    counting = CountingSplit.of(workers);
  }

  @AfterEach
  void end() throws IOException {
    workers.forEach(Offloading::close);
    for (CodeServer server : servers) {
      server.close();
    }
  }

  @Test
  void aLostPartRunsAgain() {
    assertEquals(2 * MOST * (MOST - 1) / 2, counting.sum(new Range(0, MOST), 2));
    assertEquals(new Range(0, MOST).parts(4 * WORKERS).size() + 1, calls.get());
  }

  @Test
  void listsKeepTheirOrder() {
    assertEquals(LongStream.range(5, MOST).boxed().toList(), counting.list(new Range(5, MOST)));
  }

  @Test
  void anEmptyRangeIsOnePart() {
    assertEquals(0, counting.sum(new Range(7, 7), 2));
    assertEquals(List.of(), counting.list(new Range(7, 7)));
  }

  @Test
  void aDeclaredExceptionIsTheCalls() {
    Counting.FirstException thrown =
        assertThrows(
            Counting.FirstException.class, () -> counting.fail(new Range(0, MOST), "zero"));
    assertEquals("zero", thrown.getMessage());
  }

  @Test
  void theOthersDoTheWorkOfOneThatHasGone() throws IOException {
    servers.get(0).close();
    assertEquals(MOST * (MOST - 1) / 2, counting.sum(new Range(0, MOST), 1));
  }

  @Test
  void withoutAnybodyItIsAnError() throws IOException {
    for (CodeServer server : servers) {
      server.close();
    }
    OffloadException none =
        assertThrows(OffloadException.class, () -> counting.sum(new Range(0, MOST), 1));
    assertEquals(OffloadException.Kind.NOT_BEGUN, none.kind());
    assertEquals(0, calls.get());
  }

  @Test
  void partsAreTheRange() {
    for (int most : List.of(1, 3, 7, 1_000)) {
      List<Range> parts = new Range(-3, 20).parts(most);
      assertEquals(Math.min(most, 23), parts.size());
      assertEquals(23, parts.stream().mapToLong(Range::length).sum());
      assertEquals(-3, parts.get(0).from());
      assertEquals(20, parts.get(parts.size() - 1).to());
    }
  }
}
