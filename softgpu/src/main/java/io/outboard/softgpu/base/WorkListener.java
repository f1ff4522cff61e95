// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.base;

/** Is told what devices have done, on the threads that did it. */
public interface WorkListener {
  /** Nobody. */
  WorkListener NONE =
      new WorkListener() {
        @Override
        public boolean isOn() {
          return false;
        }

        @Override
        public long asker() {
          return 0;
        }

        @Override
        public void done(DoneWork work, Place place, long begin, long end) {}
      };

  /**
   * The place of work.
   *
   * @param asker the number of who asked for it, as {@link #asker} said then
   * @param device its ordinal
   * @param context a number of the context
   * @param stream a number of the stream
   * @param graph the number of the graph that is launched, 0 where none is
   */
  record Place(long asker, int device, int context, int stream, int graph) {
    /** Of work in no stream. */
    public static final Place NOWHERE = new Place(0, 0, 0, 0, 0);
  }

  /** Whether it is to be told. */
  boolean isOn();

  /** A number of who asks for work on this thread. */
  long asker();

  /** Work is over; times are those of {@link System#nanoTime}. */
  void done(DoneWork work, Place place, long begin, long end);
}
