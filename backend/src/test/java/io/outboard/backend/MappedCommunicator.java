// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Capability;
import io.outboard.communicator.Distance;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Memory;
import io.outboard.communicator.region.Doorbell;
import io.outboard.communicator.region.Shared;
import io.outboard.communicator.region.SharedFile;
import io.outboard.communicator.region.SharedMemory;
import io.outboard.wire.RegionOffer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code mapped:PATH}: a communicator as a hypervisor gives it. Each side finds the one region of
 * the machine by its name, no descriptor passes, and no kernel serves both sides: a side that waits
 * polls.
 */
public final class MappedCommunicator extends FakeCommunicator {
  private static final int READ_WRITE = 2;
  private static final int CREATE = 0x40;
  private static final long POLL_NS = 200_000;

  /** How often a side of this process has rung. */
  public static final AtomicLong RINGS = new AtomicLong();

  @Override
  public String scheme() {
    return "mapped";
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(Distance.HYPERVISOR, Capability.REGIONS);
  }

  /** In a worker, whose parent is the daemon. */
  @Override
  public SharedMemory region(int connection, RegionOffer offer) throws IOException {
    long daemon = ProcessHandle.current().parent().orElseThrow().pid();
    int file = open(file(daemon), READ_WRITE | CREATE);
    Errno.check(Memory.ftruncate(file, offer.bytes()), "ftruncate");
    return map(file, offer);
  }

  /** The client's side of the region that a daemon's worker has made. */
  public static SharedMemory find(long daemon, RegionOffer offer) throws IOException {
    return map(open(file(daemon), READ_WRITE), offer);
  }

  /** Where the region of a daemon lies. */
  public static Path file(long daemon) {
    return Path.of("/dev/shm/outboard-mapped-" + daemon);
  }

  private static SharedMemory map(int file, RegionOffer offer) throws IOException {
    return new SharedMemory(
        offer, SharedFile.map(file, offer.bytes()), false, (word, _, _) -> new Polling(word));
  }

  private static int open(Path path, int flags) throws IOException {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor type =
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toString());
      int file =
          (int)
              linker
                  .downcallHandle(
                      linker.defaultLookup().findOrThrow("open"),
                      type,
                      Linker.Option.firstVariadicArg(2))
                  .invokeExact(name, flags, 0600);
      if (file < 0) {
        throw new IOException("cannot open " + path);
      }
      return file;
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Nothing wakes it: it looks at the word until that has changed. */
  private record Polling(long word) implements Doorbell {
    private static final int LOOKS = 100;

    @Override
    public void sleep(int expected) {
      for (int i = 0; i < LOOKS && Shared.getInt(word) == expected; i++) {
        LockSupport.parkNanos(POLL_NS);
      }
    }

    @Override
    public void ring() {
      RINGS.incrementAndGet();
    }
  }
}
