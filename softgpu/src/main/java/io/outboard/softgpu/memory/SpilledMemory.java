// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The contents of devices' memory, in a file on the disk that has no name any more, so that nothing
 * is left of it whatever becomes of this process. Meanwhile the devices' memory holds zeros, and
 * none of the machine's pages.
 */
public final class SpilledMemory implements AutoCloseable {
  /** Most bytes a write or read. */
  private static final long PIECE = 64L << 20;

  private final FileChannel channel;
  private final List<Extent> extents;

  /**
   * A stretch of a memory file that has been written to, and nothing but such bytes.
   *
   * @param at where it is in the file on the disk
   */
  private record Extent(int file, long begin, long bytes, long at) {}

  private SpilledMemory(FileChannel channel, List<Extent> extents) {
    this.channel = channel;
    this.extents = extents;
  }

  /** Bytes that such memory files hold. */
  public static long held(List<Integer> files) {
    return extents(files).stream().mapToLong(Extent::bytes).sum();
  }

  /**
   * Moves what memory files hold to a file in a folder; nobody uses them meanwhile.
   *
   * @throws IOException if there is no room for it: then all is as before
   */
  public static SpilledMemory write(List<Integer> files, Path folder) throws IOException {
    List<Extent> extents = extents(files);
    FileChannel channel = unnamed(folder);
    try {
      for (Extent extent : extents) {
        eachPiece(extent, (memory, at) -> writeAll(channel, memory, at));
      }
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    extents.forEach(SpilledMemory::discard);
    return new SpilledMemory(channel, extents);
  }

  private static FileChannel unnamed(Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "outboard-suspended", "");
    try {
      return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } finally {
      Files.delete(file);
    }
  }

  private static List<Extent> extents(List<Integer> files) {
    List<Extent> extents = new ArrayList<>();
    long at = 0;
    for (int file : files) {
      long begin = Mapping.data(file, 0);
      while (begin >= 0) {
        long end = Mapping.hole(file, begin);
        extents.add(new Extent(file, begin, end - begin, at));
        at += end - begin;
        begin = Mapping.data(file, end);
      }
    }
    return extents;
  }

  /** Brings everything back to where it was. */
  public void restore() throws IOException {
    for (Extent extent : extents) {
      eachPiece(extent, (memory, at) -> readAll(channel, memory, at));
    }
  }

  private interface Move {
    void run(MemorySegment memory, long at) throws IOException;
  }

  private static void eachPiece(Extent extent, Move move) throws IOException {
    long address = Mapping.shared(extent.bytes(), extent.file(), extent.begin());
    try {
      MemorySegment all = MemorySegment.ofAddress(address).reinterpret(extent.bytes());
      for (long done = 0; done < extent.bytes(); done += PIECE) {
        long bytes = Math.min(PIECE, extent.bytes() - done);
        move.run(all.asSlice(done, bytes), extent.at() + done);
      }
    } finally {
      Mapping.unmap(address, extent.bytes());
    }
  }

  private static void writeAll(FileChannel channel, MemorySegment memory, long at)
      throws IOException {
    ByteBuffer bytes = memory.asByteBuffer();
    while (bytes.hasRemaining()) {
      int unused = channel.write(bytes, at + bytes.position());
    }
  }

  private static void readAll(FileChannel channel, MemorySegment memory, long at)
      throws IOException {
    ByteBuffer bytes = memory.asByteBuffer();
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, at + bytes.position()) < 0) {
        throw new IOException("the file with what was suspended has become shorter");
      }
    }
  }

  private static void discard(Extent extent) {
    long address = Mapping.shared(extent.bytes(), extent.file(), extent.begin());
    Mapping.discard(address, extent.bytes());
    Mapping.unmap(address, extent.bytes());
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
