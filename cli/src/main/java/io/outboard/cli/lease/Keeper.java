// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.cli.command.Failure;
import io.outboard.communicator.posix.Posix;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * Holds a lease beside the launcher, which becomes what uses it: terminal, signals and status are
 * that program's own.
 */
public final class Keeper {
  /** The first line of what the launcher is told, by which it knows it from a text for people. */
  private static final String MARK = "#outboard";

  private final ProcessHandle launcher;
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
            work.keep(new Keeper(launcher), leasing);
            return 0;
          });
    } catch (Failure e) {
      // The reason comes first: the launcher ends when it is told to.
      leasing.tell(e.getMessage());
      fail();
      return 1;
    }
  }

  /**
   * Makes one. The launcher may be interrupted while a lease is waited for: then this process ends,
   * and all is undone.
   */
  private Keeper(long launcher) throws Failure {
    this.launcher =
        ProcessHandle.of(launcher).orElseThrow(() -> new Failure("the launcher has gone"));
    var unused = this.launcher.onExit().thenRun(this::endUnlessHanded);
  }

  private void endUnlessHanded() {
    if (!handed) {
      System.exit(1);
    }
  }

  /** Tells the launcher what it becomes, in lines for its shell. */
  public void handOver(List<String> lines) throws Failure {
    handed = true;
    try {
      say(lines);
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  /** The launcher fails as well, unless it has become something else by now. */
  private static void fail() {
    try {
      say(List.of("exit 1"));
    } catch (IOException e) {
      // Standard output is closed: it was told what it becomes.
    }
  }

  private static void say(List<String> lines) throws IOException {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      out.write((MARK + "\n" + String.join("\n", lines) + "\n").getBytes(UTF_8));
    }
  }

  /** Says nothing any more: somebody may wait for the end of what the launcher prints. */
  public static void forgetErrors() throws Failure {
    int nothing = Posix.open("/dev/null", Posix.O_WRONLY, 0);
    if (nothing < 0 || Posix.dup2(nothing, 2) < 0) {
      throw new Failure("/dev/null cannot be opened");
    }
    Posix.close(nothing);
  }

  /** Waits for the end of what the launcher has become. */
  public void await() {
    ProcessHandle unused = launcher.onExit().join();
  }
}
