// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

/**
 * Facts about a library's objects that a lease has to know and its description does not say. A
 * library that says nothing takes of all devices of its session, and its work is over when its
 * calls are.
 */
public interface LeasedObjects {
  /** All devices, and no work that outlasts a call. */
  LeasedObjects PLAIN = new LeasedObjects() {};

  /** Each device of a session. */
  long EVERY_DEVICE = -1;

  /** Told that an object is over. */
  @FunctionalInterface
  interface End {
    /** Called once, on any thread. */
    void over();
  }

  /**
   * The devices behind an object, bit i for the session's device i.
   *
   * @param kind of its handle, 0 where the call names none
   */
  default long devices(int kind, long value) {
    return EVERY_DEVICE;
  }

  /**
   * Has the vendor's library say when it has freed an object that holds memory, which may be later
   * than its handle ends.
   *
   * @return whether it will; else the memory ends with the handle
   */
  default boolean tellsEnd(int kind, long value, End end) {
    return false;
  }

  /**
   * The queue that work goes to, kept alive until {@link #done}; 0 where work is over when its call
   * is.
   */
  default long queue(int kind, long value) {
    return 0;
  }

  /** Marks the end of what a queue has now; 0 where that cannot be. */
  default long mark(long queue) {
    return 0;
  }

  /** Whether the work before a mark is over, or will never be. */
  default boolean isOver(long mark) {
    return true;
  }

  /** The queue is not needed any more, nor its mark, 0 if it has none. */
  default void done(long queue, long mark) {}
}
