// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** How many programs each session is told of. */
class BusyProgramsTest {
  private final Deque<Runnable> later = new ArrayDeque<>();
  private final BusyPrograms programs = new BusyPrograms(later::add);

  private static final class Program implements BusyPrograms.Told {
    private long calls;
    private int told;

    @Override
    public SessionFigures figures() {
      return new SessionFigures(calls, 0, 0);
    }

    @Override
    public void programs(int busy) {
      told = busy;
    }
  }

  private Program begins() {
    Program program = new Program();
    programs.add(program);
    return program;
  }

  private void aWhilePasses() {
    later.remove().run();
  }

  @Test
  void ofOneNobodyCounts() {
    Program only = begins();
    only.calls++;
    assertTrue(later.isEmpty());
  }

  @Test
  void thoseThatCallCount() {
    Program one = begins();
    Program two = begins();
    Program idle = begins();
    one.calls++;
    two.calls += 5;
    aWhilePasses();
    assertEquals(2, one.told);
    assertEquals(2, idle.told);
    two.calls++;
    aWhilePasses();
    assertEquals(1, one.told);
    assertEquals(1, two.told);
  }

  @Test
  void theLastOneIsToldThatItIsAlone() {
    Program one = begins();
    Program two = begins();
    one.calls++;
    two.calls++;
    aWhilePasses();
    assertEquals(2, one.told);
    programs.remove(two);
    one.calls++;
    aWhilePasses();
    assertEquals(1, one.told);
    assertTrue(later.isEmpty(), "somebody counts one program");
  }

  @Test
  void countingBeginsOnceMore() {
    Program one = begins();
    programs.remove(begins());
    aWhilePasses();
    Program three = begins();
    assertEquals(1, later.size());
    one.calls++;
    three.calls++;
    aWhilePasses();
    assertEquals(2, three.told);
  }
}
