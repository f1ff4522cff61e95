// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

/**
 * Takes back what a command has made, where the command ends before anybody knows of it:
 * interrupted, or because standard output cannot be written.
 */
public final class Undo {
  private final Thread hook;

  private Undo(Runnable undo) {
    hook = new Thread(undo, "undo");
  }

  /** Undoes something when the process ends, unless {@link #forget} comes first. */
  public static Undo atTheEnd(Runnable undo) {
    Undo one = new Undo(undo);
    Runtime.getRuntime().addShutdownHook(one.hook);
    return one;
  }

  /** The thing that was made stays. */
  public void forget() {
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends, and undoes it.
    }
  }
}
