// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import io.outboard.wire.CallLog;
import io.outboard.wire.Dispatcher;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A library opened for one session. */
public interface LibraryInstance extends AutoCloseable {
  /**
   * One that keeps no state of threads and has all calls that its dispatcher knows. A session's
   * things end with its process. Its state on devices cannot be put aside; by its description it
   * may have none.
   *
   * @param driver what the calls are made on; the other arguments are generated for its library
   * @param structures what the library's signatures refer to
   * @param logged makes the decorator for the log of calls
   */
  static <D> LibraryInstance of(
      SessionContext context,
      D driver,
      Function<D, Dispatcher> dispatcher,
      List<String> structures,
      BiFunction<D, CallLog, D> logged) {
    Dispatcher calls = LoggedCalls.dispatcher(context, driver, dispatcher, structures, logged);
    BitSet known = new BitSet();
    for (int number = 1; number <= calls.level(); number++) {
      known.set(number, calls.answering(number) != Dispatcher.UNKNOWN);
    }
    boolean devices = calls.takesOfDevices();
    HeldDevices held = devices ? HeldDevices.UNKNOWN : HeldDevices.NONE;
    return new StatelessInstance(calls, known, devices, held);
  }

  /** Decodes and issues its calls. */
  Dispatcher dispatcher();

  /** The calls that the device behind it has. */
  BitSet calls();

  /**
   * Prepares the executing thread for a call: the vendor keys state to threads, and a client's
   * calls are run by whichever thread reads them.
   *
   * @param lane the frame's lane
   * @param thread the client's thread
   */
  void enter(int lane, int thread);

  /** The executing thread, which is prepared, issues the call of this sequence. */
  default void issues(long sequence) {}

  /**
   * Returns the value of the own object of a client's thread in a lane, for which the vendor has a
   * special value that means an object of the executing thread.
   *
   * @return the value, or {@link io.outboard.wire.Handles#INVALID}
   */
  default long perThread(int lane, int thread, int kind, long special) {
    return special;
  }

  /** Returns the result of a call as the program is told it. */
  default int told(int lane, int result) {
    return result;
  }

  /** A call that may wait has returned this result; its answer has not been sent yet. */
  default void waited(int result) {}

  /** Whether its calls use devices, and not only ask about them. */
  default boolean usesDevices() {
    return true;
  }

  /** The session's state on devices, as far as it is this library's. */
  default HeldDevices held() {
    return HeldDevices.NONE;
  }

  /** The facts about its objects that a lease has to know. */
  default LeasedObjects leased() {
    return LeasedObjects.PLAIN;
  }

  /** A thread of the client has ended. */
  void threadEnded(int thread);

  /** Frees what the session held. */
  @Override
  void close();
}
