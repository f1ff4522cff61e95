// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import java.io.IOException;
import java.util.BitSet;

/**
 * The users that workers run as, one each: no worker can then trace another one, or open what it
 * has, whatever a client makes it do.
 *
 * <p>Only the superuser can become others. The users need not exist; they must be able to read what
 * Outboard is made of.
 */
public final class WorkerUsers {
  /** A property of workers: all these users. */
  public static final String PROPERTY = "outboard.worker.users";

  private final int first;
  private final int last;
  private final boolean exclusive;
  // Guarded by this object's monitor.
  private final BitSet taken = new BitSet();

  private WorkerUsers(int first, int last, boolean exclusive) {
    this.first = first;
    this.last = last;
    this.exclusive = exclusive;
  }

  /**
   * Reads {@code FIRST-LAST}, two numbers of users.
   *
   * @throws IllegalArgumentException if the text is not that; the message says what it should be
   */
  public static WorkerUsers parse(String text) {
    return parse(text, true);
  }

  /**
   * The same of users that other backends may use too, for workers in process namespaces: these end
   * with all that they have, and no process of another backend's is looked for.
   */
  public static WorkerUsers shared(String text) {
    return parse(text, false);
  }

  private static WorkerUsers parse(String text, boolean exclusive) {
    String[] ends = text.split("-", 2);
    try {
      WorkerUsers users =
          new WorkerUsers(
              Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]), exclusive);
      if (users.first > 0 && users.first <= users.last) {
        return users;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "the users of workers are a range of user ids, as 60000-60255, not '" + text + "'");
  }

  /** Whether a user is one of these. */
  public boolean contains(int user) {
    return user >= first && user <= last;
  }

  /** The first of them. */
  public int first() {
    return first;
  }

  /** Takes a user that nobody runs as. */
  public synchronized int take() throws IOException {
    int user = first + taken.nextClearBit(0);
    if (user > last) {
      throw new IOException("each of the users " + this + " has a worker already");
    }
    taken.set(user - first);
    return user;
  }

  /** Takes one of whom it is known that something may run. */
  public synchronized void take(int user) {
    if (contains(user)) {
      taken.set(user - first);
    }
  }

  /**
   * Gives one back whose process has ended. Processes that it left running end now. A user is given
   * to another worker only when none of its processes is left.
   */
  public void free(int user) {
    if (!exclusive || UserProcesses.end(user)) {
      clear(user);
    } else {
      Log.warn("user %d of workers is not used again: its processes do not end".formatted(user));
    }
  }

  private synchronized void clear(int user) {
    taken.clear(user - first);
  }

  @Override
  public String toString() {
    return first + "-" + last;
  }
}
