// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.port;

import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;

/**
 * A connection of the other side, as this end of a socket pair. Never waits; bytes that its socket
 * does not take are held, as far as the other side has credit. For one thread.
 */
final class PortChannel {
  private static final int OWED = PortFrame.WINDOW / 4;
  private static final int ENDS = Posix.POLLHUP | 8;

  private final int id;
  private final int socket;
  private int credit = PortFrame.WINDOW;
  private int theirs = PortFrame.WINDOW;
  private int owed;
  // A ring of a window's bytes that the socket has not taken; none until it is needed.
  private Arena arena;
  private long ring;
  private int begin;
  private int held;
  private boolean readable;
  // The process behind the socket writes no more, and the other side has been told.
  private boolean upOver;
  private boolean toldUp;
  // Nor does it take anything.
  private boolean gone;
  // The other side writes no more, and whoever is served has been told.
  private boolean downOver;
  private boolean toldDown;
  // Nor does it take anything.
  private boolean forsaken;

  PortChannel(int id, int socket) {
    this.id = id;
    this.socket = socket;
  }

  /** Its number. */
  int id() {
    return id;
  }

  /** This end of the pair. */
  int socket() {
    return socket;
  }

  boolean isDone() {
    return toldUp && toldDown;
  }

  void close() {
    Posix.close(socket);
    if (arena != null) {
      arena.close();
    }
  }

  // ---- to whoever is served

  /** Bytes for a process that takes no more count as delivered for the other side. */
  private int give(long from, int bytes) {
    int n = gone ? bytes : Sockets.send(socket, from, bytes);
    if (n < 0 && n != -Errno.EAGAIN && n != -Errno.EINTR) {
      gone = true;
      upOver = true;
      n = bytes;
    }
    int given = Math.max(n, 0);
    owed += given;
    return given;
  }

  private void tellDown() {
    if (downOver && held == 0 && !toldDown) {
      toldDown = true;
      Sockets.shutdown(socket, Sockets.SHUT_WR);
    }
  }

  private void giveHeld() {
    while (held > 0) {
      int part = Math.min(held, PortFrame.WINDOW - begin);
      int given = give(ring + begin, part);
      begin = (begin + given) % PortFrame.WINDOW;
      held -= given;
      if (given < part) {
        return;
      }
    }
    tellDown();
  }

  private void hold(long from, int bytes) {
    if (bytes > 0 && arena == null) {
      arena = Arena.ofConfined();
      ring = arena.allocate(PortFrame.WINDOW).address();
    }
    for (int done = 0; done < bytes; ) {
      int at = (begin + held) % PortFrame.WINDOW;
      int part = Math.min(bytes - done, PortFrame.WINDOW - at);
      Native.copy(from + done, ring + at, part);
      held += part;
      done += part;
    }
  }

  /** Takes a frame of the other side; false if it broke the rules. */
  boolean take(PortFrame frame) {
    return switch (frame.kind()) {
      case PortFrame.DATA -> takeData(frame);
      case PortFrame.CREDIT -> {
        credit += frame.bytes();
        yield credit <= PortFrame.WINDOW;
      }
      case PortFrame.END -> !downOver && endDown();
      case PortFrame.CLOSE -> {
        forsaken = true;
        upOver = true;
        toldUp = true;
        yield endDown();
      }
      default -> false;
    };
  }

  private boolean takeData(PortFrame frame) {
    if (downOver || frame.bytes() > theirs) {
      return false;
    }
    theirs -= frame.bytes();
    int given = held == 0 ? give(frame.body(), frame.bytes()) : 0;
    hold(frame.body() + given, frame.bytes() - given);
    return true;
  }

  private boolean endDown() {
    downOver = true;
    tellDown();
    return true;
  }

  // ---- from whoever is served

  /**
   * Returns the events to poll for. It is negative where the socket is not to be polled at all,
   * because poll reports a known end for ever.
   */
  int interests(boolean moves) {
    boolean reads = moves && !upOver && credit > 0;
    boolean gives = held > 0 && !gone;
    if (!reads && !gives && (gone || !upOver)) {
      return -1;
    }
    return (reads ? Posix.POLLIN : 0) | (gives ? Posix.POLLOUT : 0);
  }

  /** These events have come. */
  void ready(int events) {
    boolean ended = (events & ENDS) != 0;
    readable = ended || (events & Posix.POLLIN) != 0;
    gone |= ended && upOver;
    if (ended || (events & Posix.POLLOUT) != 0) {
      giveHeld();
    }
  }

  /** Sends what there is to be sent, as far as there is room. */
  void put(PortEpoch epoch) {
    if (epoch.hasRoom()) {
      putCredit(epoch);
    }
    if (epoch.hasRoom()) {
      putData(epoch);
    }
    if (epoch.hasRoom()) {
      putEnd(epoch);
    }
  }

  private void putCredit(PortEpoch epoch) {
    if (owed >= OWED && !downOver) {
      epoch.put(PortFrame.CREDIT, id, owed);
      theirs += owed;
      owed = 0;
    }
  }

  private void putData(PortEpoch epoch) {
    if (!readable || upOver || credit == 0) {
      return;
    }
    readable = false;
    int n = Sockets.receive(socket, epoch.body(), Math.min(PortFrame.PIECE, credit));
    if (n > 0) {
      epoch.put(PortFrame.DATA, id, n);
      credit -= n;
    } else if (n != -Errno.EAGAIN && n != -Errno.EINTR) {
      upOver = true;
      gone = n < 0 || (Posix.poll(socket, (short) 0, 0) & ENDS) != 0;
    }
  }

  private void putEnd(PortEpoch epoch) {
    if (!upOver || forsaken) {
      return;
    }
    if (gone) {
      epoch.put(PortFrame.CLOSE, id, 0);
      forsaken = true;
      toldUp = true;
      held = 0;
      toldDown = true;
    } else if (!toldUp) {
      epoch.put(PortFrame.END, id, 0);
      toldUp = true;
    }
  }
}
