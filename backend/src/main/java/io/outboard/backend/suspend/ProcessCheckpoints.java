// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.suspend;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.outboard.backend.system.Log;
import io.outboard.cuda.CudaResult;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * A driver's functions that put aside what another process has on its GPUs (CUDA Driver API, "CUDA
 * Checkpointing"; drivers from 570 on have them). The process goes from RUNNING by {@link #lock} to
 * LOCKED, where its calls of the driver wait, by {@link #checkpoint} to CHECKPOINTED, and back. All
 * methods return a {@code CUresult}.
 */
final class ProcessCheckpoints {
  /** {@code CU_PROCESS_STATE_RUNNING}. */
  static final int RUNNING = 0;

  /** {@code CU_PROCESS_STATE_LOCKED}. */
  static final int LOCKED = 1;

  /** {@code CU_PROCESS_STATE_CHECKPOINTED}: the memory of its GPUs is free. */
  static final int CHECKPOINTED = 2;

  /** {@code CU_PROCESS_STATE_FAILED}: it has lost what it had. */
  static final int FAILED = 3;

  /** The first {@code cuDriverGetVersion} of which {@link #restore} can change the GPUs. */
  static final int VERSION_THAT_MOVES = 13_000;

  /** Of {@code CUcheckpointRestoreArgs}: the pairs, their number, then reserved zeros. */
  private static final long RESTORE_ARGUMENTS = 64;

  /** Of {@code CUcheckpointLockArgs}: milliseconds, then reserved zeros. */
  private static final long LOCK_ARGUMENTS = 64;

  private final Optional<MethodHandle> init;
  private final Optional<MethodHandle> version;
  private final Optional<MethodHandle> count;
  private final Optional<MethodHandle> uuid;
  private final Optional<MethodHandle> state;
  private final Optional<MethodHandle> lock;
  private final Optional<MethodHandle> checkpoint;
  private final Optional<MethodHandle> restore;
  private final Optional<MethodHandle> unlock;

  private ProcessCheckpoints(SymbolLookup library) {
    init = bind(library, "cuInit", JAVA_INT);
    version = bind(library, "cuDriverGetVersion", ADDRESS);
    count = bind(library, "cuDeviceGetCount", ADDRESS);
    uuid = bind(library, "cuDeviceGetUuid_v2", ADDRESS, JAVA_INT);
    state = bind(library, "cuCheckpointProcessGetState", JAVA_INT, ADDRESS);
    lock = bind(library, "cuCheckpointProcessLock", JAVA_INT, ADDRESS);
    checkpoint = bind(library, "cuCheckpointProcessCheckpoint", JAVA_INT, ADDRESS);
    restore = bind(library, "cuCheckpointProcessRestore", JAVA_INT, ADDRESS);
    unlock = bind(library, "cuCheckpointProcessUnlock", JAVA_INT, ADDRESS);
  }

  /**
   * Loads a driver.
   *
   * @throws IllegalArgumentException if it is not there
   */
  static ProcessCheckpoints load(String library) {
    return new ProcessCheckpoints(SymbolLookup.libraryLookup(library, Arena.global()));
  }

  private static Optional<MethodHandle> bind(
      SymbolLookup library, String name, MemoryLayout... arguments) {
    FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, arguments);
    return library.find(name).map(address -> Linker.nativeLinker().downcallHandle(address, type));
  }

  /** Whether the driver has these functions. */
  boolean areThere() {
    return state.isPresent()
        && lock.isPresent()
        && checkpoint.isPresent()
        && restore.isPresent()
        && unlock.isPresent();
  }

  /** Prepares the driver, once. */
  int initialise() {
    try {
      return init.isPresent() ? (int) init.get().invokeExact(0) : CudaResult.NOT_FOUND;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** The state of a process, or a negated result. */
  int state(int process) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = arena.allocate(JAVA_INT);
      int result = call(state, process, found);
      return result == CudaResult.SUCCESS ? found.get(JAVA_INT, 0) : -result;
    }
  }

  /**
   * Waits for the work of a process and has its further calls wait; NOT_READY, and all as before,
   * if that takes longer.
   */
  int lock(int process, int milliseconds) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment arguments = arena.allocate(LOCK_ARGUMENTS, Long.BYTES);
      arguments.set(JAVA_INT, 0, milliseconds);
      return call(lock, process, arguments);
    }
  }

  /** Moves what a locked process has on its GPUs to the host's memory. */
  int checkpoint(int process) {
    return call(checkpoint, process, MemorySegment.NULL);
  }

  /** Moves it back: to the same GPUs, or to others, of the same model, where {@code moves} says. */
  int restore(int process, List<DeviceMove> moves) {
    if (moves.isEmpty()) {
      return call(restore, process, MemorySegment.NULL);
    }
    if (version() < VERSION_THAT_MOVES) {
      return CudaResult.NOT_SUPPORTED;
    }
    try (Arena arena = Arena.ofConfined()) {
      List<UUID> gpus = gpus(arena);
      MemorySegment arguments = arena.allocate(RESTORE_ARGUMENTS, Long.BYTES);
      arguments.set(ADDRESS, 0, GpuPairs.of(arena, gpus, moves));
      arguments.set(JAVA_INT, Long.BYTES, gpus.size());
      return call(restore, process, arguments);
    } catch (IllegalArgumentException e) {
      Log.debug(e.getMessage());
      return CudaResult.INVALID_DEVICE;
    }
  }

  /** {@code cuDriverGetVersion}, 0 where it does not say. */
  int version() {
    try (Arena arena = Arena.ofConfined()) {
      return number(version, arena.allocate(JAVA_INT));
    }
  }

  /** The UUIDs of all GPUs that the driver shows. */
  private List<UUID> gpus(Arena arena) {
    int gpus = number(count, arena.allocate(JAVA_INT));
    return IntStream.range(0, gpus).mapToObj(gpu -> uuid(arena, gpu)).toList();
  }

  private UUID uuid(Arena arena, int gpu) {
    MemorySegment place = arena.allocate(GpuPairs.UUID_BYTES);
    if (askUuid(place, gpu) != CudaResult.SUCCESS) {
      throw new IllegalArgumentException("GPU %d has no UUID".formatted(gpu));
    }
    return GpuPairs.uuid(place);
  }

  private int askUuid(MemorySegment place, int gpu) {
    try {
      return uuid.isPresent() ? (int) uuid.get().invokeExact(place, gpu) : CudaResult.NOT_FOUND;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static int number(Optional<MethodHandle> function, MemorySegment place) {
    try {
      boolean said =
          function.isPresent() && (int) function.get().invokeExact(place) == CudaResult.SUCCESS;
      return said ? place.get(JAVA_INT, 0) : 0;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Lets a locked process go on. */
  int unlock(int process) {
    return call(unlock, process, MemorySegment.NULL);
  }

  private static int call(Optional<MethodHandle> function, int process, MemorySegment argument) {
    try {
      return function.isPresent()
          ? (int) function.get().invokeExact(process, argument)
          : CudaResult.NOT_FOUND;
    } catch (Throwable impossible) {
      throw new AssertionError(impossible);
    }
  }
}
