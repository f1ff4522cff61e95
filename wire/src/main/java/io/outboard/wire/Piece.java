// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * The header before each piece of bulk data, little-endian; the piece follows, at most {@link
 * Limits#CHUNK} bytes.
 *
 * <pre>
 *   0          8        16      20      24
 *   +----------+--------+-------+-------+------
 *   | transfer | offset | bytes |   0   | piece
 *   +----------+--------+-------+-------+------
 * </pre>
 */
public final class Piece {
  /** Offset of the transfer's number, 64 bits; the numbers of a session grow. */
  public static final int TRANSFER = 0;

  /** Offset of the piece's place in its transfer, 64 bits. */
  public static final int OFFSET = 8;

  /** Offset of the piece's length, 32 bits. */
  public static final int BYTES = 16;

  /** Bytes of the header. */
  public static final int HEADER = 24;

  private Piece() {}
}
