// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * What a session may take of its devices: generated dispatchers have calls pass it, as their
 * library describes them ({@code Takes}). Devices are bits: bit i for the lease's device i.
 */
public interface Meter {
  /** What {@link #take} returns where the lease may have no more. */
  long REFUSED = Long.MIN_VALUE;

  /** That of a session without limits. */
  Meter FREE =
      new Meter() {
        @Override
        public long take(int kind, long owner, long bytes) {
          return 0;
        }

        @Override
        public void refused(long devices, long bytes) {}

        @Override
        public void holds(long devices, long bytes, int kind, long key, long value) {}

        @Override
        public long begin(int kind, long queue) {
          return 0;
        }

        @Override
        public void begun(long devices, int kind, long queue, int result) {}

        @Override
        public Object ending(long key) {
          return null;
        }

        @Override
        public void ended(Object ending, boolean over) {}

        @Override
        public boolean profiles() {
          return true;
        }
      };

  /**
   * Takes memory before a call.
   *
   * @param kind of the handle that says which devices, 0 for all
   * @param owner the library's value of that handle
   * @param bytes negative for more than there can be
   * @return the devices, or {@link #REFUSED}
   */
  long take(int kind, long owner, long bytes);

  /** The call has failed: nothing is taken. */
  void refused(long devices, long bytes);

  /**
   * The call has made what holds that memory.
   *
   * @param kind of its handle, 0 for an address
   * @param key the session's handle, or the address
   * @param value the library's value of it
   */
  void holds(long devices, long bytes, int kind, long key, long value);

  /**
   * Waits until work may be begun; {@link #begun} follows on the same thread.
   *
   * @param kind of the queue's handle, 0 for all devices
   * @return the devices
   */
  long begin(int kind, long queue);

  /** Work was begun, or the call has failed. */
  void begun(long devices, int kind, long queue, int result);

  /** A call is about to give back memory at an address; {@link #ended} takes what this returns. */
  Object ending(long key);

  /** The call has returned; {@code over} says whether the memory has gone. */
  void ended(Object ending, boolean over);

  /** Whether counters may be read, which tell of all that runs on a device. */
  boolean profiles();
}
