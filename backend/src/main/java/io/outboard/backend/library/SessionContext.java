// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import io.outboard.communicator.region.GuestRoom;
import io.outboard.wire.Handles;
import io.outboard.wire.Slot;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The session as a library sees it. */
public interface SessionContext {
  /** The session's handles. */
  Handles handles();

  /**
   * The library's value of the frontend's handle of a kind and index, or {@link Handles#INVALID}.
   */
  long valueAt(int kind, int index);

  /** The frontend's handle of a kind and index that lives now, 0 if none. */
  long handleAt(int kind, int index);

  /** An object that the session's libraries have in common; made when it is first asked for. */
  <T> T shared(Class<T> type, Supplier<T> make);

  /**
   * The devices to serve, as {@code --device} says: {@code auto}, {@code software[:N]}, {@code
   * nvidia}.
   */
  String devices();

  /** The part of these devices that the session gets. */
  default Allotment allotment() {
    return Allotment.EVERYTHING;
  }

  /** Where its device addresses have to lie; none where they may lie anywhere. */
  default Optional<Slot> slot() {
    return Optional.empty();
  }

  /**
   * Whether it may bring code to the machine's processors: it is the operator's, or nothing of the
   * machine is in this process's reach.
   */
  default boolean mayRunNativeCode() {
    return false;
  }

  /** The other hosts whose devices it has too. */
  default List<JoinedHost> joined() {
    return List.of();
  }

  /** How sessions with these go on over other connections. */
  default HostConnections connections() {
    return (host, milliseconds) -> {
      throw new IOException("nobody connects to " + host.name());
    };
  }

  /** The client's process id, as the client sees it. */
  int process();

  /** Whether the client wants a log of the calls. */
  boolean logs();

  /** A line of that log. */
  void log(byte[] line);

  /** Text that a kernel printed, for the program's standard output. */
  void output(byte[] text);

  /** The next descriptor that the client has passed, the caller's to close; −1 if there is none. */
  int descriptor();

  /** Room for page-locked memory beside the rings, where a guest's memory has such. */
  default Optional<GuestRoom> room() {
    return Optional.empty();
  }

  /** Text that a kernel wrote, for the program's standard error. */
  void error(byte[] text);

  /** A line of Outboard's own for the program's standard error. */
  void message(String line);
}
