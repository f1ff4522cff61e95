// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The first contents of a variable: bytes, and addresses that are known after placing. */
public final class Initializer {
  /** At {@code position}: {@code width} bytes of the address of {@code symbol}, shifted right. */
  private record Relocation(int position, int width, String symbol, long offset, int shift) {}

  private final ByteBuffer bytes;
  private final List<Relocation> relocations = new ArrayList<>();

  public Initializer(int size) {
    bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Writes the low {@code width} bytes of {@code value}. */
  public void put(int position, int width, long value) {
    for (int i = 0; i < width; i++) {
      bytes.put(position + i, (byte) (value >>> (8 * i)));
    }
  }

  /** Leaves room for an address. */
  public void putAddress(int position, int width, String symbol, long offset, int shift) {
    relocations.add(new Relocation(position, width, symbol, offset, shift));
  }

  /** The names of what has its address in here. */
  public List<String> symbols() {
    return relocations.stream().map(Relocation::symbol).toList();
  }

  public int size() {
    return bytes.capacity();
  }

  /** Writes the addresses of other variables. */
  public void resolve(Map<String, Long> addresses) {
    for (Relocation relocation : relocations) {
      Long address = addresses.get(relocation.symbol);
      if (address == null) {
        throw new IllegalArgumentException("no address for " + relocation.symbol);
      }
      put(
          relocation.position,
          relocation.width,
          (address + relocation.offset) >>> relocation.shift);
    }
  }

  /** A copy of the contents. */
  public byte[] toBytes() {
    return bytes.array().clone();
  }
}
