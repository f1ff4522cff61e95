// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.profile;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.cupti.RecordForm;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/** Records as they travel ({@link RecordForm}), written to the blocks of a session. */
final class WorkRecords {
  /** Most names of a session; kernels beyond have none. */
  private static final int NAMES = 1 << 16;

  /** A name that there is no room for. */
  private static final long UNNAMED = 0;

  private final RecordBlocks blocks;
  private final Map<String, Long> names = new ConcurrentHashMap<>();

  WorkRecords(RecordBlocks blocks) {
    this.blocks = blocks;
  }

  /**
   * The figures that all work has.
   *
   * @param sequence of the frame that asked for it
   * @param begin in nanoseconds of {@link System#nanoTime}
   * @param graph number of the graph that it is of, 0 for none
   * @param node of that graph
   */
  record Work(
      long sequence,
      long begin,
      long end,
      int device,
      int context,
      int stream,
      int graph,
      long node) {
    void write(long at, int kind, int bytes) {
      Native.putInt(at, kind);
      Native.putInt(at + 4, bytes);
      Native.putLong(at + 8, sequence);
      Native.putLong(at + 16, begin);
      Native.putLong(at + 24, end);
      Native.putInt(at + 32, device);
      Native.putInt(at + 36, context);
      Native.putInt(at + 40, stream);
      Native.putInt(at + 44, graph);
      Native.putLong(at + 48, node);
    }
  }

  /**
   * A kernel's own figures: grid, block, static and dynamic shared bytes, registers, local bytes.
   */
  record Kernel(
      int[] grid,
      int[] block,
      int staticBytes,
      int dynamicBytes,
      int registers,
      int localOfThread,
      int localOfAll) {
    private void write(long at) {
      for (int i = 0; i < 3; i++) {
        Native.putInt(at + 4L * i, grid[i]);
        Native.putInt(at + 12 + 4L * i, block[i]);
      }
      Native.putInt(at + 24, staticBytes);
      Native.putInt(at + 28, dynamicBytes);
      Native.putInt(at + 32, registers);
      Native.putInt(at + 36, localOfThread);
      Native.putInt(at + 40, localOfAll);
      Native.putInt(at + 44, 0);
    }
  }

  void kernel(Work work, String name, Kernel kernel) {
    long number = number(name);
    add(
        work,
        RecordForm.KERNEL,
        RecordForm.KERNEL_BYTES,
        own -> {
          Native.putLong(own, number);
          kernel.write(own + Long.BYTES);
        });
  }

  void copy(Work work, long copied, int kind, int source, int target, int flags) {
    add(
        work,
        RecordForm.COPY,
        RecordForm.COPY_BYTES,
        own -> {
          Native.putLong(own, copied);
          Native.putInt(own + 8, kind);
          Native.putInt(own + 12, source);
          Native.putInt(own + 16, target);
          Native.putInt(own + 20, flags);
        });
  }

  void fill(Work work, long filled, int value, int memory) {
    add(
        work,
        RecordForm.FILL,
        RecordForm.FILL_BYTES,
        own -> {
          Native.putLong(own, filled);
          Native.putInt(own + 8, value);
          Native.putInt(own + 12, memory);
        });
  }

  void graph(Work work) {
    add(work, RecordForm.GRAPH, RecordForm.WORK, own -> {});
  }

  /** Adds a record: what all work has, and behind it what {@code own} writes there. */
  private void add(Work work, int kind, int bytes, LongConsumer own) {
    boolean unused =
        blocks.add(
            bytes,
            at -> {
              work.write(at, kind, bytes);
              own.accept(at + RecordForm.WORK);
            });
  }

  /** The number of a name, which has travelled before the first record with it. */
  private long number(String name) {
    Long known = names.get(name);
    if (known != null) {
      return known;
    }
    synchronized (names) {
      long number = names.size() + 1L;
      if (names.containsKey(name) || number >= NAMES || !add(number, name)) {
        return names.getOrDefault(name, UNNAMED);
      }
      names.put(name, number);
      return number;
    }
  }

  private boolean add(long number, String name) {
    byte[] text = name.getBytes(UTF_8);
    int length = Math.min(text.length, RecordForm.NAME_MOST);
    int bytes = RecordForm.NAME_BYTES + ((length + 7) & -8);
    return blocks.add(
        bytes,
        at -> {
          Native.putInt(at, RecordForm.NAME);
          Native.putInt(at + 4, bytes);
          Native.putLong(at + 8, number);
          Native.putInt(at + 16, length);
          Native.putInt(at + 20, 0);
          MemorySegment.copy(
              text, 0, Native.MEMORY, ValueLayout.JAVA_BYTE, at + RecordForm.NAME_BYTES, length);
        });
  }
}
