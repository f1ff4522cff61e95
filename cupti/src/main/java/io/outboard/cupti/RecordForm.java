// SPDX-License-Identifier: Apache-2.0
package io.outboard.cupti;

/**
 * The form of records on the way, in bytes: numbers are little-endian, each record begins at a
 * multiple of 8 with {@code u32 kind, u32 bytes} of the whole record. Kinds are those of {@code
 * CUpti_ActivityKind}, and {@link #NAME}.
 *
 * <p>Work, of whatever kind, goes on with {@code u64 sequence} of the frame that asked for it,
 * {@code u64 begin, u64 end} in nanoseconds of the records' clock, {@code u32 device, u32 context,
 * u32 stream, u32 graph, u64 node of the graph}.
 */
public final class RecordForm {
  /** The name of kernels: {@code u64 number, u32 length, u32 0}, then the name, padded. */
  public static final int NAME = 0;

  /** A copy: {@code u64 bytes, u32 copy kind, u32 source's kind, u32 target's kind, u32 flags}. */
  public static final int COPY = 1;

  /** A fill: {@code u64 bytes, u32 value, u32 memory's kind}. */
  public static final int FILL = 2;

  /**
   * A kernel: {@code u64 number of its name, i32[3] grid, i32[3] block, i32 static shared bytes,
   * i32 dynamic shared bytes, u32 registers, u32 local bytes of a thread, u32 local bytes of all,
   * u32 0}.
   */
  public static final int KERNEL = 10;

  /** A launch of a graph whose work has no records of its own: what all work has, and no more. */
  public static final int GRAPH = 51;

  /** The thing that has a number: a context. */
  public static final int CONTEXT_NUMBER = 0;

  /** A stream of a context. */
  public static final int STREAM_NUMBER = 1;

  /** A graph. */
  public static final int GRAPH_NUMBER = 2;

  /** A graph that can be launched. */
  public static final int EXECUTABLE_NUMBER = 3;

  /** A node of a graph. */
  public static final int NODE_NUMBER = 4;

  /** Bytes of kind and length. */
  public static final int HEAD = 8;

  /** Bytes of what all work has, with the head. */
  public static final int WORK = 56;

  /** Bytes of a copy. */
  public static final int COPY_BYTES = WORK + 24;

  /** Bytes of a fill. */
  public static final int FILL_BYTES = WORK + 16;

  /** Bytes of a kernel. */
  public static final int KERNEL_BYTES = WORK + 56;

  /** Bytes of a name without its text. */
  public static final int NAME_BYTES = HEAD + 16;

  /** Most bytes of a text; longer ones are cut. */
  public static final int NAME_MOST = 32 << 10;

  private RecordForm() {}
}
