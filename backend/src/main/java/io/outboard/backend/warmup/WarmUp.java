// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.warmup;

import io.outboard.backend.library.Libraries;
import io.outboard.backend.library.LibraryService;
import io.outboard.backend.library.WarmUpScript;
import io.outboard.backend.system.Log;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The warm-up of a worker that waits for a client: it serves one of its own, whose calls do
 * nothing. A virtual machine interprets what it has not run often, at a hundred times the price:
 * without this the first ten thousand launches of a program cost more than all the others.
 *
 * <p>Both kinds of streams take part, a lease's limits, and drivers of several classes: code that
 * has been compiled for one or two of them would be thrown away when the client comes with another.
 */
public final class WarmUp {
  /** The compiler's last level comes after some 5,000 calls of a method. */
  private static final int TIMES = 8_000;

  /** Enough for each stage to be played. */
  private static final int TIMES_OF_FIRST_ACT = 600;

  private static final int TIMES_A_TURN = 50;
  private static final int TURNS_WITH_EVERYTHING = 20;
  private static final long MOST_NS = TimeUnit.SECONDS.toNanos(4);

  private final BooleanSupplier wanted;
  private final long deadline = System.nanoTime() + MOST_NS;

  private WarmUp(BooleanSupplier wanted) {
    this.wanted = wanted;
  }

  /** Warms up every library for some devices, one after the other, until done or {@code wanted}. */
  public static void run(String devices, BooleanSupplier wanted) {
    for (LibraryService service : Libraries.present()) {
      service.warmUpScript(devices).ifPresent(piece -> new WarmUp(wanted).play(piece));
    }
  }

  /**
   * Plays each library's piece once, unless {@code wanted}: a first time costs a hundred times what
   * a second one does, and a client that comes soon after another finds no worker that has warmed
   * up.
   */
  public static void once(String devices, BooleanSupplier wanted) {
    for (LibraryService service : Libraries.present()) {
      if (!wanted.getAsBoolean()) {
        service.warmUpScript(devices).ifPresent(WarmUp::once);
      }
    }
  }

  private static void once(WarmUpScript piece) {
    try (WarmUpStage stage = WarmUpStage.overRings(piece)) {
      stage.tryEverything();
      boolean unused = stage.play();
    } catch (IOException e) {
      Log.debug("nothing is played: " + e.getMessage());
    }
  }

  /**
   * In two acts: code that is compiled before a session has ended for the first time does not know
   * of ends, and is thrown away at the first one, which would be that of the warm-up.
   */
  private void play(WarmUpScript piece) {
    boolean unused = play(piece, TIMES_OF_FIRST_ACT) && play(piece, TIMES);
  }

  /** Whether nobody has come meanwhile, and all went well. */
  private boolean play(WarmUpScript piece, int all) {
    try {
      WarmUpStages stages = WarmUpStages.open(piece);
      boolean whole = play(stages, all);
      close(stages);
      return whole;
    } catch (IOException e) {
      Log.debug("no warm-up: " + e.getMessage());
      return false;
    }
  }

  /** A client that has come does not wait until all sessions of its worker's own have ended. */
  private void close(WarmUpStages stages) {
    if (wanted.getAsBoolean()) {
      Thread.ofPlatform().name("warm-up-end").daemon(true).start(stages::close);
    } else {
      stages.close();
    }
  }

  private boolean play(WarmUpStages stages, int all) {
    for (int turn = 0; turn < all / TIMES_A_TURN; turn++) {
      if (!play(stages.next(), turn < TURNS_WITH_EVERYTHING)) {
        return false;
      }
    }
    return true;
  }

  private boolean play(WarmUpStage stage, boolean everything) {
    if (everything) {
      stage.tryEverything();
    }
    for (int i = 0; i < TIMES_A_TURN; i++) {
      if (isOver()) {
        return false;
      }
      if (!stage.play()) {
        Log.debug("a warm-up session does not go well");
        return false;
      }
    }
    return true;
  }

  private boolean isOver() {
    return wanted.getAsBoolean() || System.nanoTime() > deadline;
  }
}
