// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.profile;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cupti.CuptiResult;
import io.outboard.cupti.RecordForm;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Records what the vendor's devices do, by the host's CUPTI. CUPTI knows the calls that ask for
 * work by numbers of its own; each call's frame is told to it as what the call belongs to, and it
 * tells that of each number. Work of other numbers is Outboard's own.
 *
 * <p>The fields of CUPTI's structures that are read here have not moved since CUDA 11; later
 * versions add others behind them.
 */
final class VendorRecorder implements DeviceRecorder {
  // CUpti_ActivityKind
  private static final int DRIVER = 4;
  private static final int PEER_COPY = 22;
  private static final int EXTERNAL_CORRELATION = 39;

  /** {@code CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0}. */
  private static final int FRAME = 3;

  /** {@code CUPTI_ACTIVITY_FLAG_FLUSH_FORCED}. */
  private static final int FORCED = 1;

  /** The latest numbers of which it is known to what they belong. */
  private static final int NUMBERS = 1 << 18;

  /** In a record, in place of the sequence: CUPTI's number, to which nothing is known yet. */
  private static final long UNKNOWN = Long.MIN_VALUE;

  /**
   * Functions of the driver that never ask for work and are called often: cuCtxGetCurrent,
   * cuCtxSetCurrent, cuStreamQuery and cuStreamQuery_ptsz, cuEventQuery, cuPointerGetAttribute and
   * cuPointerGetAttributes.
   */
  private static final int[] IDLE = {304, 303, 125, 439, 120, 310, 450};

  private final VendorCupti cupti;
  private final VendorBuffers buffers;
  private final VendorClock clock;
  private final WorkRecords records;
  private final RecordBlocks blocks;
  private final ThreadLocal<boolean[]> pushed = ThreadLocal.withInitial(() -> new boolean[1]);
  // By CUPTI's number, the number itself and its sequence.
  private final int[] numbers = new int[NUMBERS];
  private final long[] sequences = new long[NUMBERS];
  private final NativeBuffer room = new NativeBuffer(Long.BYTES);
  private final int version;
  private long kinds;
  private boolean registered;

  VendorRecorder(VendorCupti cupti, WorkRecords records, RecordBlocks blocks) {
    this.cupti = cupti;
    this.records = records;
    this.blocks = blocks;
    this.clock = new VendorClock(cupti);
    this.buffers = new VendorBuffers(cupti, this::take);
    this.version =
        cupti.version(room.address()) == CuptiResult.SUCCESS ? Native.getInt(room.address()) : 0;
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public synchronized int enable(long wanted) {
    int result = registered ? CuptiResult.SUCCESS : buffers.register();
    registered = result == CuptiResult.SUCCESS;
    for (int kind : new int[] {EXTERNAL_CORRELATION, DRIVER}) {
      result = result == CuptiResult.SUCCESS ? turn(kind, wanted != 0, kinds != 0) : result;
    }
    for (int kind :
        new int[] {RecordForm.GRAPH, RecordForm.COPY, RecordForm.FILL, RecordForm.KERNEL}) {
      result =
          result == CuptiResult.SUCCESS ? turn(kind, has(wanted, kind), has(kinds, kind)) : result;
    }
    boolean copies = has(wanted, RecordForm.COPY);
    result =
        result == CuptiResult.SUCCESS
            ? turn(PEER_COPY, copies, has(kinds, RecordForm.COPY))
            : result;
    if (result == CuptiResult.SUCCESS) {
      if (kinds == 0 && wanted != 0) {
        clock.begin();
      }
      kinds = wanted;
    }
    return result;
  }

  private static boolean has(long these, int kind) {
    return (these >>> kind & 1) != 0;
  }

  private int turn(int kind, boolean wanted, boolean is) {
    if (wanted == is) {
      return CuptiResult.SUCCESS;
    }
    int result = wanted ? cupti.enable(kind) : cupti.disable(kind);
    if (kind == DRIVER && wanted && result == CuptiResult.SUCCESS) {
      for (int function : IDLE) {
        cupti.leaveOut(function);
      }
    }
    return result;
  }

  /** The one before stays on the thread until the next one: nothing is asked for meanwhile. */
  @Override
  public void issues(long sequence) {
    boolean[] is = pushed.get();
    if (is[0]) {
      int unused = cupti.pop(FRAME);
    }
    is[0] = cupti.push(FRAME, sequence) == CuptiResult.SUCCESS;
  }

  @Override
  public synchronized void flush() {
    int unused = cupti.flush(FORCED);
    clock.compare();
    if (cupti.dropped(room.address()) == CuptiResult.SUCCESS) {
      blocks.drop(Native.getLong(room.address()));
    }
  }

  // ---- CUPTI's records, on its threads

  private void take(long at) {
    switch (Native.getInt(at)) {
      case EXTERNAL_CORRELATION -> number(at);
      case RecordForm.KERNEL -> kernel(at);
      case RecordForm.COPY -> copy(at, work(at, 44, 64, 72));
      case PEER_COPY -> copy(at, work(at, 60, 72, 80));
      case RecordForm.FILL -> fill(at);
      case RecordForm.GRAPH -> graph(at);
      default -> {}
    }
  }

  private void number(long at) {
    if (Native.getInt(at + 4) == FRAME) {
      int number = Native.getInt(at + 16);
      synchronized (numbers) {
        numbers[number & (NUMBERS - 1)] = number;
        sequences[number & (NUMBERS - 1)] = Native.getLong(at + 8);
      }
    }
  }

  /** By CUPTI's clock, until it is handed out: only then all is known. */
  private WorkRecords.Work work(long at, int number, int node, int graph) {
    return new WorkRecords.Work(
        sequence(Native.getInt(at + number)),
        Native.getLong(at + 16),
        Native.getLong(at + 24),
        Native.getInt(at + 32),
        Native.getInt(at + 36),
        Native.getInt(at + 40),
        Native.getInt(at + graph),
        Native.getLong(at + node));
  }

  private void kernel(long at) {
    WorkRecords.Work work =
        new WorkRecords.Work(
            sequence(Native.getInt(at + 92)),
            Native.getLong(at + 16),
            Native.getLong(at + 24),
            Native.getInt(at + 40),
            Native.getInt(at + 44),
            Native.getInt(at + 48),
            Native.getInt(at + 156),
            Native.getLong(at + 144));
    WorkRecords.Kernel figures =
        new WorkRecords.Kernel(
            extent(at + 52),
            extent(at + 64),
            Native.getInt(at + 76),
            Native.getInt(at + 80),
            Native.getShort(at + 6) & 0xffff,
            Native.getInt(at + 84),
            Native.getInt(at + 88));
    records.kernel(work, name(Native.getLong(at + 104)), figures);
  }

  private static int[] extent(long at) {
    return new int[] {Native.getInt(at), Native.getInt(at + 4), Native.getInt(at + 8)};
  }

  private static String name(long text) {
    return text == 0
        ? ""
        : MemorySegment.ofAddress(text)
            .reinterpret(Long.MAX_VALUE)
            .getString(0, StandardCharsets.UTF_8);
  }

  private void copy(long at, WorkRecords.Work work) {
    records.copy(
        work,
        Native.getLong(at + 8),
        Native.getByte(at + 4),
        Native.getByte(at + 5),
        Native.getByte(at + 6),
        Native.getByte(at + 7));
  }

  private void fill(long at) {
    records.fill(
        work(at, 44, 64, 72),
        Native.getLong(at + 8),
        Native.getInt(at + 4),
        Native.getShort(at + 50));
  }

  private void graph(long at) {
    records.graph(
        new WorkRecords.Work(
            sequence(Native.getInt(at + 4)),
            Native.getLong(at + 8),
            Native.getLong(at + 16),
            Native.getInt(at + 24),
            Native.getInt(at + 32),
            Native.getInt(at + 36),
            Native.getInt(at + 28),
            0));
  }

  // ---- numbers

  @Override
  public synchronized long number(int what, long context, long object) {
    Native.putLong(room.address(), 0);
    int result = cupti.number(what, context, object, room.address());
    return result == CuptiResult.SUCCESS ? Native.getLong(room.address()) : 0;
  }

  // ---- records as they travel

  @Override
  public void complete(long block, long bytes) {
    for (long at = block; at < block + bytes; at += Native.getInt(at + 4)) {
      if (Native.getInt(at) != RecordForm.NAME) {
        Native.putLong(at + 8, known(Native.getLong(at + 8)));
        Native.putLong(at + 16, clock.of(Native.getLong(at + 16)));
        Native.putLong(at + 24, clock.of(Native.getLong(at + 24)));
      }
    }
  }

  private long known(long sequence) {
    long found = sequence < 0 ? sequence((int) sequence) : sequence;
    return Math.max(found, 0);
  }

  private long sequence(int number) {
    synchronized (numbers) {
      int place = number & (NUMBERS - 1);
      return numbers[place] == number ? sequences[place] : UNKNOWN | (number & 0xffffffffL);
    }
  }
}
