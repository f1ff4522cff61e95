// SPDX-License-Identifier: Apache-2.0
package io.outboard.gpu;

/**
 * How many threads run a kernel: blocks of threads (CUDA C++ Programming Guide, "Thread
 * Hierarchy").
 *
 * @param x blocks
 * @param y blocks
 * @param z blocks
 * @param blockX threads of a block
 * @param blockY threads of a block
 * @param blockZ threads of a block
 * @param sharedBytes dynamic shared memory of a block
 */
public record Grid(int x, int y, int z, int blockX, int blockY, int blockZ, int sharedBytes) {
  /** Blocks of {@code block} threads, as many as {@code threads} need: the last may stand out. */
  public static Grid covering(long threads, int block) {
    if (threads < 1 || block < 1) {
      throw new IllegalArgumentException(threads + " threads in blocks of " + block);
    }
    return blocks(Math.toIntExact((threads + block - 1) / block), block);
  }

  /** {@code blocks} blocks of {@code block} threads. */
  public static Grid blocks(int blocks, int block) {
    return new Grid(blocks, 1, 1, block, 1, 1, 0);
  }

  /** A plane of {@code x} by {@code y} blocks of {@code blockX} by {@code blockY} threads. */
  public static Grid plane(int x, int y, int blockX, int blockY) {
    return new Grid(x, y, 1, blockX, blockY, 1, 0);
  }

  /** The same with so much dynamic shared memory a block. */
  public Grid withSharedBytes(int bytes) {
    return new Grid(x, y, z, blockX, blockY, blockZ, bytes);
  }
}
