// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.move;

import io.outboard.backend.library.OfferedCalls;
import io.outboard.communicator.posix.Memory;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.region.GuestRoom;
import io.outboard.communicator.region.Shared;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.Memcpy3D;
import io.outboard.wire.Native;
import java.util.BitSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntSupplier;

/**
 * Memory that the client shares: maps it, lets the driver copy from and to it and from and to
 * nothing else, and writes into it that a copy is complete.
 *
 * <p>A file that only the two use must be sealed against shrinking: else an access to it could be
 * the end of the worker. One that the program shares with others cannot be; a process that shortens
 * it under the program's feet ends the program's own worker. A mapping goes only while no copy is
 * being asked for, and once the driver has done those that were.
 */
public final class HostMemory extends CudaDriverForwarding {
  /**
   * {@code CU_MEMHOSTREGISTER_PORTABLE}: for every context, as all is where addresses are unified.
   */
  private static final int PORTABLE = 1;

  /** Most ranges of a session. */
  private static final int MOST = 1 << 16;

  private final IntSupplier descriptors;
  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
  private final SharedRanges ranges = new SharedRanges();
  private final StagingBuffers staging = new StagingBuffers();
  private final AssignedRoom room;

  /**
   * Serves one session.
   *
   * @param descriptors takes the next descriptor that the client has passed, −1 for none
   * @param room in memory that this machine shares with a guest, where the client passes none
   */
  public HostMemory(CudaDriver delegate, IntSupplier descriptors, Optional<GuestRoom> room) {
    super(delegate);
    this.descriptors = descriptors;
    this.room = new AssignedRoom(room);
  }

  /** The calls without that which needs room, where there is none. */
  public BitSet possible(BitSet calls) {
    return room.isPossible()
        ? calls
        : OfferedCalls.without(calls, CudaDriverTable::name, Set.of("outboardHostRoom"));
  }

  @Override
  public int outboardHostRoom(long offset, long bytes) {
    long assigned = room.assign(bytes);
    if (assigned == GuestRoom.NONE) {
      return CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(offset, assigned);
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardHostMap(long device, long address, long bytes, int flags) {
    IntSupplier driver = () -> delegate.outboardHostMap(device, address, bytes, flags);
    Optional<AssignedRoom.Range> assigned = room.take();
    return assigned.isPresent()
        ? map(assigned.get(), address, bytes, driver)
        : map(new Part(address, bytes, 0, true), driver);
  }

  private int map(AssignedRoom.Range range, long address, long bytes, IntSupplier driver) {
    Part part = new Part(address, bytes, range.offset(), false);
    int result =
        bytes == range.bytes()
            ? mapChecked(part, room.descriptor(), driver)
            : CudaResult.INVALID_VALUE;
    if (result == CudaResult.SUCCESS) {
      room.mapped(range, address);
    } else {
      room.putBack(range);
    }
    return result;
  }

  @Override
  public int outboardHostRegister(long device, long address, long bytes, long offset, int flags) {
    IntSupplier driver = () -> delegate.outboardHostMap(device, address, bytes, flags | PORTABLE);
    return map(new Part(address, bytes, offset, false), driver);
  }

  @Override
  public int outboardManagedMap(long address, long bytes) {
    IntSupplier driver = () -> delegate.outboardManagedMap(address, bytes);
    return map(new Part(address, bytes, 0, true), driver);
  }

  /**
   * A part of a file: its address, its length, its offset in the file, and whether the file must be
   * sealed.
   */
  private record Part(long address, long bytes, long offset, boolean sealed) {
    boolean isIn(int descriptor) {
      return bytes > 0
          && offset >= 0
          && (!sealed || PassedMemory.isSealed(descriptor))
          && Posix.length(descriptor) - offset >= bytes;
    }
  }

  /** Maps the file whose descriptor has come, and lets the driver do its part. */
  private int map(Part part, IntSupplier driver) {
    int descriptor = PassedMemory.newest(descriptors);
    if (descriptor < 0) {
      return CudaResult.INVALID_VALUE;
    }
    try {
      return mapChecked(part, descriptor, driver);
    } finally {
      Posix.close(descriptor);
    }
  }

  private int mapChecked(Part part, int descriptor, IntSupplier driver) {
    return part.isIn(descriptor) && !isFull()
        ? map(part, descriptor, driver)
        : CudaResult.INVALID_VALUE;
  }

  private int map(Part part, int descriptor, IntSupplier driver) {
    long address = part.address();
    long bytes = part.bytes();
    int access = Memory.PROT_READ | Memory.PROT_WRITE;
    int how = Memory.MAP_SHARED | Memory.MAP_POPULATE;
    if (!Memory.mapAt(address, bytes, access, how, descriptor, part.offset())) {
      return CudaResult.ALREADY_MAPPED;
    }
    int result = driver.getAsInt();
    if (result == CudaResult.SUCCESS) {
      remember(address, bytes);
    } else {
      Memory.munmap(address, bytes);
    }
    return result;
  }

  private boolean isFull() {
    synchronized (ranges) {
      return ranges.count() >= MOST;
    }
  }

  private void remember(long address, long bytes) {
    synchronized (ranges) {
      ranges.add(address, bytes);
    }
  }

  @Override
  public int outboardHostUnmap(long address) {
    return unmap(address, () -> delegate.outboardHostUnmap(address));
  }

  @Override
  public int outboardManagedUnmap(long address) {
    return unmap(address, () -> delegate.outboardManagedUnmap(address));
  }

  private int unmap(long address, IntSupplier driver) {
    long bytes = forget(address);
    if (bytes == 0) {
      return CudaResult.INVALID_VALUE;
    }
    int result = driver.getAsInt();
    if (result == CudaResult.INVALID_VALUE) {
      remember(address, bytes); // mapped in another way: the driver has not waited for its use
      return result;
    }
    Memory.munmap(address, bytes);
    room.unmapped(address);
    return result;
  }

  /**
   * Forgets a range and returns its bytes. Every copy that used the range has been asked for when
   * this returns.
   */
  private long forget(long address) {
    use.writeLock().lock();
    try {
      synchronized (ranges) {
        return ranges.remove(address);
      }
    } finally {
      use.writeLock().unlock();
    }
  }

  @Override
  public int outboardCopyFromHost(
      long destination, long source, long bytes, long stream, long done) {
    use.readLock().lock();
    try {
      return shared(source, bytes, done)
          ? told(delegate.outboardCopyFromHost(destination, source, bytes, stream, done), done)
          : CudaResult.INVALID_VALUE;
    } finally {
      use.readLock().unlock();
    }
  }

  @Override
  public int outboardCopyToHost(long destination, long source, long bytes, long stream, long done) {
    use.readLock().lock();
    try {
      return shared(destination, bytes, done)
          ? told(delegate.outboardCopyToHost(destination, source, bytes, stream, done), done)
          : CudaResult.INVALID_VALUE;
    } finally {
      use.readLock().unlock();
    }
  }

  @Override
  public int outboardStagingMake(long address, long bytes) {
    return staging.make(
        address, bytes, (at, whole) -> delegate.outboardHostMap(address, at, whole, PORTABLE));
  }

  @Override
  public int outboardStagingEnd(long address) {
    return staging.end(address, delegate::outboardHostUnmap);
  }

  @Override
  public int outboardStagingStore(long address, long data, long bytes) {
    return staging.store(address, data, bytes);
  }

  @Override
  public int outboardStagingLoad(long data, long address, long bytes) {
    return staging.load(data, address, bytes);
  }

  @Override
  public int cuGraphAddMemcpyNode(
      long node, long graph, long dependencies, long count, long copy, long context) {
    return namesShared(copy)
        ? delegate.cuGraphAddMemcpyNode(node, graph, dependencies, count, copy, context)
        : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuGraphMemcpyNodeSetParams(long node, long copy) {
    return namesShared(copy)
        ? delegate.cuGraphMemcpyNodeSetParams(node, copy)
        : CudaResult.INVALID_VALUE;
  }

  @Override
  public int cuGraphExecMemcpyNodeSetParams(long executable, long node, long copy, long context) {
    return namesShared(copy)
        ? delegate.cuGraphExecMemcpyNodeSetParams(executable, node, copy, context)
        : CudaResult.INVALID_VALUE;
  }

  /** Whether all host memory of a copy is memory that the client shares, or a staging buffer. */
  private boolean namesShared(long copy) {
    return copy == 0
        || (sideIsShared(copy, copy + Memcpy3D.EXTENT)
            && sideIsShared(copy + Memcpy3D.SIDE_BYTES, copy + Memcpy3D.EXTENT));
  }

  private boolean sideIsShared(long side, long extent) {
    if (Native.getInt(side + Memcpy3D.TYPE) != Memcpy3D.HOST) {
      return true;
    }
    try {
      long bytes = Memcpy3D.reach(side, extent);
      long address = Native.getLong(side + Memcpy3D.HOST_ADDRESS);
      return contains(address, bytes) || staging.contains(address, bytes);
    } catch (ArithmeticException tooMuch) {
      return false;
    }
  }

  private boolean shared(long address, long bytes, long done) {
    boolean word = done == 0 || ((done & 7) == 0 && contains(done, Long.BYTES));
    return word && contains(address, bytes);
  }

  private boolean contains(long address, long bytes) {
    synchronized (ranges) {
      return ranges.contains(address, bytes);
    }
  }

  private static int told(int result, long done) {
    if (done == 0) {
      return result;
    }
    Shared.put(done, 1L + result);
    return CudaResult.SUCCESS;
  }
}
