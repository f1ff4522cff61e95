// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import java.util.ArrayList;
import java.util.List;

/** The values in the text of a call: see {@link CallText}. */
final class CallValues {
  /** The count of what is not counted. */
  static final long SINGLE = -1;

  private static final int FEW = 16;
  private static final int SHORT_TEXT = 64;
  private static final int SIZE_MASK = 0xff_ffff;
  private static final long BACKEND_MINTED = 1L << 40;
  private static final int HASH_BASIS = 0x811c9dc5;
  private static final int HASH_PRIME = 0x01000193;

  private final List<String> structures;
  private final CallNames names;
  private final StringBuilder text = new StringBuilder();
  private final List<Awaited> awaited = new ArrayList<>();
  private boolean waiting;

  /** A handle that belongs at a place of the text. */
  private record Awaited(int at, String kinds, long value) {}

  CallValues(List<String> structures, CallNames names) {
    this.structures = structures;
    this.names = names;
  }

  void add(String more) {
    text.append(more);
  }

  /** From here on handles may not be known yet. */
  void awaitHandles() {
    waiting = true;
  }

  /** The text with all handles. */
  String line() {
    StringBuilder line = new StringBuilder();
    int from = 0;
    for (Awaited handle : awaited) {
      line.append(text, from, handle.at()).append(known(handle.kinds(), handle.value()));
      from = handle.at();
    }
    return line.append(text, from, text.length()).toString();
  }

  /** The values at an address, which may be null: one element, or so many. */
  void elements(Signature.Type type, long address, long count) {
    if (address == 0) {
      text.append("null");
    } else if (type.code() == 'T') {
      text(address, count == SINGLE ? Long.MAX_VALUE : count);
    } else if (count == SINGLE) {
      element(type, address);
    } else if (type.code() == 'B' || (count > FEW && "Sh".indexOf(type.code()) < 0)) {
      bytes(address, count * size(type));
    } else {
      list(type, address, count);
    }
  }

  private void list(Signature.Type type, long address, long count) {
    text.append('[');
    for (long i = 0; i < count; i++) {
      text.append(i == 0 ? "" : ", ");
      element(type, address + i * size(type));
    }
    text.append(']');
  }

  /** The values at an address. */
  void element(Signature.Type type, long address) {
    switch (type.code()) {
      case 'S' -> structure(type.structure(), address);
      case 'b' -> value(type, Native.getByte(address));
      case 's' -> value(type, Native.getShort(address));
      case 'i', 'f' -> value(type, Native.getInt(address));
      default -> value(type, Native.getLong(address));
    }
  }

  /** A scalar, an address of the device or a handle. */
  void value(Signature.Type type, long value) {
    switch (type.code()) {
      case 'h' -> handle(type.kinds(), value);
      case 'a' -> text.append("0x").append(Long.toHexString(value));
      case 'f' -> text.append("0x").append(Integer.toHexString((int) value));
      case 'd' -> text.append("0x").append(Long.toHexString(value));
      default -> text.append(value);
    }
  }

  private void handle(String kinds, long value) {
    if (waiting) {
      awaited.add(new Awaited(text.length(), kinds, value));
    } else if (kinds.indexOf('%') >= 0 && names.isOwn(value)) {
      text.append("#own");
    } else {
      text.append(known(kinds, value));
    }
  }

  private String known(String kinds, long value) {
    for (String kind : kinds.split("\\|", -1)) {
      Signature at = new Signature(kind + "%");
      long handle = names.handleOf(at.number(), value);
      if (handle != 0) {
        return at.until('%') + "#" + number(handle);
      }
    }
    return "#" + value;
  }

  private static String number(long handle) {
    long generation = handle >>> 20 & 0x3fff;
    return ((handle & BACKEND_MINTED) == 0 ? "" : "b") + Handles.index(handle) + "." + generation;
  }

  private void text(long address, long limit) {
    long length = 0;
    while (length < limit && Native.getByte(address + length) != 0) {
      length++;
    }
    if (length > SHORT_TEXT) {
      bytes(address, length);
      return;
    }
    text.append('"');
    for (long i = 0; i < length; i++) {
      int letter = Native.getByte(address + i) & 0xff;
      boolean plain = letter >= ' ' && letter < 0x7f && letter != '"' && letter != '\\';
      text.append(plain ? Character.toString(letter) : "\\x%02x".formatted(letter));
    }
    text.append('"');
  }

  private void bytes(long address, long count) {
    int hash = HASH_BASIS;
    for (long i = 0; i < count; i++) {
      hash = (hash ^ (Native.getByte(address + i) & 0xff)) * HASH_PRIME;
    }
    text.append(count).append("#%08x".formatted(hash));
  }

  private void structure(int number, long address) {
    Signature at = new Signature(structures.get(number));
    boolean sized = at.takes('z');
    int bytes = at.number();
    int limit = sized ? Math.min(bytes, Native.getInt(address) & SIZE_MASK) : bytes;
    at.takes('{');
    text.append('{');
    for (String separator = ""; !at.takes('}') && member(at, separator, address, limit); ) {
      separator = at.takes(',') ? ", " : "";
    }
    text.append('}');
  }

  /** False if it does not lie within the limit, and those that follow do not. */
  private boolean member(Signature at, String separator, long from, int limit) {
    String name = at.until('@');
    int offset = at.number();
    if (offset >= limit) {
      return false;
    }
    at.takes(':');
    text.append(separator).append(name).append('=');
    if (at.takes('?')) {
      choice(at, from, from + offset);
    } else if (at.takes('<')) {
      counted(at, from, from + offset);
    } else {
      Signature.Type type = at.type();
      elements(type, from + offset, at.takes('~') ? at.number() : SINGLE);
    }
    return true;
  }

  private void counted(Signature at, long from, long address) {
    Signature.Type type = at.type();
    at.takes('[');
    long count = from + at.number();
    long elements = number(count, at.mark("il") == 'i');
    at.takes(']');
    elements(type, Native.getLong(address), Math.max(0, elements));
  }

  private void choice(Signature at, long from, long address) {
    int tag = Native.getInt(from + at.number());
    at.takes('(');
    int bytes = at.number();
    boolean found = false;
    while (!at.takes(')')) {
      boolean here = false;
      at.takes('{');
      for (; !at.sees('S'); at.takes(',')) {
        here |= at.number() == tag;
      }
      Signature.Type type = at.type();
      at.takes('}');
      if (here) {
        element(type, address);
      }
      found |= here;
    }
    if (!found) {
      bytes(address, bytes);
    }
  }

  private long size(Signature.Type type) {
    return switch (type.code()) {
      case 'b', 'B', 'T' -> 1;
      case 's' -> Short.BYTES;
      case 'i', 'f' -> Integer.BYTES;
      case 'S' -> size(new Signature(structures.get(type.structure())));
      default -> Long.BYTES;
    };
  }

  private static long size(Signature structure) {
    structure.takes('z');
    return structure.number();
  }

  /** Four or eight bytes, signed. */
  static long number(long address, boolean narrow) {
    return narrow ? Native.getInt(address) : Native.getLong(address);
  }
}
