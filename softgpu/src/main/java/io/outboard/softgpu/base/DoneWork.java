// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.base;

import io.outboard.ptx.host.Dim3;

/** The work of an operation, for profilers. */
public sealed interface DoneWork {
  /**
   * A kernel.
   *
   * @param staticBytes shared memory of a block that the kernel declares
   * @param dynamicBytes shared memory of a block that the launch asks for
   * @param localBytes local memory of a thread
   */
  record Kernel(
      String name,
      Dim3 grid,
      Dim3 block,
      int staticBytes,
      int dynamicBytes,
      int registers,
      int localBytes)
      implements DoneWork {}

  /** A copy of so many bytes. */
  record Copy(CopyKind kind, long bytes) implements DoneWork {}

  /** A fill of so many bytes of device memory. */
  record Fill(long bytes, int value) implements DoneWork {}

  /** A launch of a graph, after the work in it. */
  record Graph() implements DoneWork {}
}
