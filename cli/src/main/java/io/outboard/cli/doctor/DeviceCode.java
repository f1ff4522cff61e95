// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import java.nio.ByteBuffer;

/**
 * Code for one kind of device. Its header, 64 bytes and an optional tail, little-endian, has at 0
 * {@code u16} the kind, at 4 {@code u32} its own size, at 8 {@code u64} the payload's, padded, at
 * 16 {@code u32} the compressed payload's, at 24 {@code u16} the minor and at 26 {@code u16} the
 * major version of PTX, at 28 {@code u32} the architecture, and at 40 {@code u64} flags.
 *
 * @param kind {@link #PTX}, {@link #BINARY}, or one that is for compilers
 * @param architecture 10 × major + minor of the compute capability
 * @param version 10 × major + minor of the PTX ISA; of PTX only
 * @param specific whether it runs on that very architecture only
 * @param family whether it runs on that major architecture only
 */
record DeviceCode(int kind, int architecture, int version, boolean specific, boolean family) {
  /** Text that is compiled for a device when it is loaded. */
  static final int PTX = 1;

  /** Machine code. */
  static final int BINARY = 2;

  private static final int HEADER = 64;
  private static final long SPECIFIC = 0x10_0000;
  private static final long FAMILY = 0x20_0000;

  /** Whether there is a whole one at a place. */
  static boolean fits(ByteBuffer in, int at) {
    if (at > in.limit() - HEADER) {
      return false;
    }
    long header = header(in, at);
    long room = in.limit() - at - header;
    return header >= HEADER && payload(in, at) >= 0 && payload(in, at) <= room;
  }

  /** How long it is; one that {@link #fits}. */
  static int bytes(ByteBuffer in, int at) {
    return (int) (header(in, at) + payload(in, at));
  }

  /** Reads one that {@link #fits}. */
  static DeviceCode read(ByteBuffer in, int at) {
    long flags = in.getLong(at + 40);
    return new DeviceCode(
        in.getShort(at) & 0xffff,
        in.getInt(at + 28),
        10 * (in.getShort(at + 26) & 0xffff) + (in.getShort(at + 24) & 0xffff),
        (flags & SPECIFIC) != 0,
        (flags & FAMILY) != 0);
  }

  private static long header(ByteBuffer in, int at) {
    return in.getInt(at + 4) & 0xffff_ffffL;
  }

  private static long payload(ByteBuffer in, int at) {
    return Math.max(in.getLong(at + 8), in.getInt(at + 16) & 0xffff_ffffL);
  }

  /** Names the code, for people. */
  String text() {
    String suffix = specific ? "a" : family ? "f" : "";
    return switch (kind) {
      case PTX ->
          "PTX %d.%d for compute_%d%s".formatted(version / 10, version % 10, architecture, suffix);
      case BINARY -> "machine code for sm_%d%s".formatted(architecture, suffix);
      default -> "code for compilers (sm_%d%s)".formatted(architecture, suffix);
    };
  }
}
