// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.cli.command.Failure;
import io.outboard.communicator.posix.Posix;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Holds a lease beside the launcher, which becomes what uses it: terminal, signals and status are
 * that program's own.
 */
public final class Keeper {
  /** The first line of what the launcher is told, by which it knows it from a text for people. */
  private static final String MARK = "#outboard";

  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final int STANDARD_OUTPUT = 1;
  private static final int STANDARD_ERROR = 2;

  private final ProcessHandle launcher;
  private final Leasing leasing;
  private volatile boolean handed;

  /** The part that takes a lease and hands over. */
  @FunctionalInterface
  public interface Work {
    /** Does it; returns when the lease is given back. */
    void keep(Keeper keeper, Leasing leasing) throws Failure;
  }

  /**
   * Does something beside the launcher, which hears of a failure, too.
   *
   * @param launcher its process; null where this command was not started by it
   * @return the status of this process
   */
  public static int beside(Long launcher, Leasing leasing, Work work) throws Failure {
    if (launcher == null) {
      throw new Failure("a program is started by the launcher: call ./outboard");
    }
    try {
      return LeaseClient.understood(
          () -> {
            work.keep(new Keeper(launcher, leasing), leasing);
            return 0;
          });
    } catch (Failure e) {
      // The reason comes first: the launcher ends when it is told to.
      leasing.tell(e.getMessage());
      say(leasing, List.of("exit 1"));
      return 1;
    }
  }

  /**
   * Makes one. The launcher may be interrupted while a lease is waited for: then this process ends,
   * and all is undone.
   */
  private Keeper(long launcher, Leasing leasing) throws Failure {
    this.leasing = leasing;
    this.launcher =
        ProcessHandle.of(launcher).orElseThrow(() -> new Failure("the launcher has gone"));
    var unused = this.launcher.onExit().thenRun(this::endUnlessHanded);
  }

  private void endUnlessHanded() {
    if (!handed) {
      System.exit(1);
    }
  }

  /** Tells the launcher what it becomes, in lines for its shell; it hears nothing after them. */
  public void handOver(List<String> lines) throws Failure {
    handed = true;
    say(leasing, lines);
    forget(STANDARD_OUTPUT);
  }

  private static void say(Leasing leasing, List<String> lines) {
    leasing.print(MARK + "\n" + String.join("\n", lines));
  }

  /** Says nothing any more: somebody may wait for the end of what the launcher prints. */
  public static void forgetErrors() throws Failure {
    forget(STANDARD_ERROR);
  }

  private static void forget(int descriptor) throws Failure {
    int nothing = Posix.open("/dev/null", Posix.O_WRONLY, 0);
    if (nothing < 0 || Posix.dup2(nothing, descriptor) < 0) {
      throw new Failure("/dev/null cannot be opened");
    }
    Posix.close(nothing);
  }

  /** Waits for the end of what the launcher has become. */
  public void await() {
    ProcessHandle unused = launcher.onExit().join();
  }

  /** Waits for that end, and asks for it as soon as something is so, which is looked at. */
  void await(BooleanSupplier isToEnd) {
    while (!endsWithin(LOOK)) {
      if (isToEnd.getAsBoolean()) {
        boolean unused = launcher.destroy();
        await();
      }
    }
  }

  private boolean endsWithin(Duration time) {
    try {
      ProcessHandle unused = launcher.onExit().get(time.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
