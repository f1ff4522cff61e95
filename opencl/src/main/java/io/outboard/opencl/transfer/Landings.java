// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClResult;
import io.outboard.opencl.vendor.Place;
import io.outboard.wire.Native;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.function.LongToIntFunction;

/**
 * Data on its way between the wire and the devices of a session, none of which waits for the other:
 * data of a read land in memory of this process until the client fetches them, and data of a write
 * are copied to memory that lives until the device has them.
 *
 * <p>The bytes on their way are bounded. A session with {@link #MOST} of them begins nothing more
 * until the devices have come on, or the client has fetched its reads; meanwhile it gets {@link
 * OpenClResult#OUT_OF_HOST_MEMORY}. It does not wait here: the devices may wait for the client's
 * next call.
 */
public final class Landings {
  /** Bytes on their way with which a session begins no more; the last transfer may be larger. */
  static final long MOST = 2L << 30;

  /** The bytes that a transfer counts for beside its data, as each takes memory of its own. */
  static final long OVERHEAD = 256;

  private static final int EXECUTION_STATUS = 0x11D3;
  private static final int COMPLETE = 0;

  private final OpenClDriver vendor;
  private final long most;
  private final KeptMemory memory = new KeptMemory();
  private final Map<Long, Transfer> landings = new HashMap<>();
  // Data that are not fetched: writes, and reads whose numbers were given again.
  private final Queue<Transfer> unfetched = new ArrayDeque<>();
  private long onTheirWay;

  /**
   * Data on its way.
   *
   * @param data where it lies
   * @param bytes how many
   * @param event of the command
   */
  private record Transfer(long data, long bytes, long event) {}

  /** A command that moves data from or to an address. */
  interface Command {
    int enqueue(Place at, long data);
  }

  /** For a session whose calls go to {@code vendor}. */
  public Landings(OpenClDriver vendor) {
    this(vendor, MOST);
  }

  /** With another bound. */
  Landings(OpenClDriver vendor, long most) {
    this.vendor = vendor;
    this.most = most;
  }

  int read(long landing, long bytes, Place at, Command command) {
    return move(bytes, at, command, 0, landing);
  }

  int write(long data, long bytes, Place at, Command command) {
    return data == 0 ? command.enqueue(at, 0) : move(bytes, at, command, data, 0);
  }

  private int move(long bytes, Place at, Command command, long source, long landing) {
    long data = bytes < 0 ? 0 : allocate(bytes);
    if (data == 0) {
      return bytes < 0 ? OpenClResult.INVALID_VALUE : OpenClResult.OUT_OF_HOST_MEMORY;
    }
    if (source != 0) {
      Native.copy(source, data, bytes);
    }
    return move(data, bytes, at, command, source == 0, landing);
  }

  /** Writes data that are this object's from now on, of memory from {@link #allocate}. */
  int writeOwn(long data, long bytes, Place at, Command command) {
    return move(data, bytes, at, command, false, 0);
  }

  /**
   * Memory for bytes on their way, which {@link #free} takes back; 0 if there is none, or if too
   * many are. The place behind the data is for the event where the program wants none.
   */
  synchronized long allocate(long bytes) {
    endUnfetched();
    long data = onTheirWay < most ? memory.allocate(align(bytes) + Long.BYTES) : 0;
    onTheirWay += data == 0 ? 0 : bytes + OVERHEAD;
    return data;
  }

  /** So many bytes are on their way no more. */
  synchronized void free(long data, long bytes) {
    memory.free(data);
    onTheirWay -= bytes + OVERHEAD;
  }

  /** From or to memory that is freed once the command is over. */
  private int move(long data, long bytes, Place at, Command command, boolean reads, long landing) {
    long slot = at.event() == 0 ? data + align(bytes) : at.event();
    int result = command.enqueue(at.withEvent(slot), data);
    if (result != OpenClResult.SUCCESS) {
      free(data, bytes);
      return result;
    }
    if (at.event() != 0) {
      vendor.clRetainEvent(Native.getLong(slot));
    }
    keep(landing, reads, new Transfer(data, bytes, Native.getLong(slot)));
    return result;
  }

  private static long align(long bytes) {
    return (bytes + 7) & -8;
  }

  private synchronized void keep(long landing, boolean reads, Transfer transfer) {
    Transfer unreachable = reads ? landings.put(landing, transfer) : transfer;
    if (unreachable != null) {
      unfetched.add(unreachable);
    }
  }

  /** Ends what the devices are done with and nobody fetches. */
  private void endUnfetched() {
    for (Iterator<Transfer> all = unfetched.iterator(); all.hasNext(); ) {
      Transfer transfer = all.next();
      if (status(transfer) <= COMPLETE) {
        all.remove();
        end(transfer);
      }
    }
  }

  private void end(Transfer transfer) {
    vendor.clReleaseEvent(transfer.event());
    free(transfer.data(), transfer.bytes());
  }

  /**
   * How far the command has come; a command that cannot be asked counts as over. The event's place
   * is free now.
   */
  private int status(Transfer transfer) {
    long place = transfer.data() + align(transfer.bytes());
    int result = vendor.clGetEventInfo(transfer.event(), EXECUTION_STATUS, Integer.BYTES, place, 0);
    return result == OpenClResult.SUCCESS ? Native.getInt(place) : result;
  }

  /** Fetches what a read has landed, in pieces, as {@code OpenClTransfers.outboardLand} has it. */
  int land(long landing, int waits, long offset, long data, long bytes, long total) {
    Transfer transfer = landed(landing);
    if (transfer == null || offset < 0 || bytes < 0 || offset > transfer.bytes() - bytes) {
      return OpenClResult.INVALID_VALUE;
    }
    int result = waits == 0 ? finished(transfer) : await(transfer);
    if (result == OpenClResult.SUCCESS && data != 0) {
      Native.copy(transfer.data() + offset, data, bytes);
    }
    boolean over = result < OpenClResult.SUCCESS || offset + bytes >= total;
    if (over && result != OpenClResult.NOT_READY && take(landing, transfer)) {
      end(transfer);
    }
    return result;
  }

  /** Has all that a read has landed sent. Nobody else has it meanwhile, so that it stays. */
  int land(long landing, int waits, long bytes, LongToIntFunction send) {
    Transfer transfer = landed(landing);
    if (transfer == null || bytes != transfer.bytes()) {
      return OpenClResult.INVALID_VALUE;
    }
    int result = waits == 0 ? finished(transfer) : await(transfer);
    if (result == OpenClResult.NOT_READY || !take(landing, transfer)) {
      return OpenClResult.NOT_READY;
    }
    result = result == OpenClResult.SUCCESS ? send.applyAsInt(transfer.data()) : result;
    keep(landing, true, transfer);
    return result;
  }

  /** Nobody fetches a landing any more, if there is one. */
  synchronized void forget(long landing) {
    Transfer transfer = landings.remove(landing);
    if (transfer != null) {
      unfetched.add(transfer);
      endUnfetched();
    }
  }

  private int finished(Transfer transfer) {
    int status = status(transfer);
    return status > COMPLETE ? OpenClResult.NOT_READY : status;
  }

  private int await(Transfer transfer) {
    long list = transfer.data() + align(transfer.bytes());
    Native.putLong(list, transfer.event());
    return vendor.clWaitForEvents(1, list);
  }

  private synchronized Transfer landed(long landing) {
    return landings.get(landing);
  }

  private synchronized boolean take(long landing, Transfer transfer) {
    return landings.remove(landing, transfer);
  }
}
