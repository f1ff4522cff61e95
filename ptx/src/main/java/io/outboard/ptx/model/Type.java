// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.model;

/** A fundamental or packed PTX type (PTX ISA, "Types"). */
public enum Type {
  PRED(1, Family.PREDICATE),
  B8(8, Family.BITS),
  B16(16, Family.BITS),
  B32(32, Family.BITS),
  B64(64, Family.BITS),
  /** Read, so that a kernel that has it can be refused; nothing computes with it. */
  B128(128, Family.BITS),
  U8(8, Family.UNSIGNED),
  U16(16, Family.UNSIGNED),
  U32(32, Family.UNSIGNED),
  U64(64, Family.UNSIGNED),
  S8(8, Family.SIGNED),
  S16(16, Family.SIGNED),
  S32(32, Family.SIGNED),
  S64(64, Family.SIGNED),
  F16(16, Family.FLOAT),
  F16X2(32, Family.PACKED),
  BF16(16, Family.FLOAT),
  BF16X2(32, Family.PACKED),
  F32(32, Family.FLOAT),
  F64(64, Family.FLOAT);

  /** How the bits of a type are read. */
  public enum Family {
    PREDICATE,
    BITS,
    UNSIGNED,
    SIGNED,
    FLOAT,
    PACKED
  }

  private final int bits;
  private final Family family;

  Type(int bits, Family family) {
    this.bits = bits;
    this.family = family;
  }

  /** The type called {@code name} without its dot, or null. */
  public static Type named(String name) {
    return switch (name) {
      case "pred" -> PRED;
      case "b8" -> B8;
      case "b16" -> B16;
      case "b32" -> B32;
      case "b64" -> B64;
      case "b128" -> B128;
      case "u8" -> U8;
      case "u16" -> U16;
      case "u32" -> U32;
      case "u64" -> U64;
      case "s8" -> S8;
      case "s16" -> S16;
      case "s32" -> S32;
      case "s64" -> S64;
      case "f16" -> F16;
      case "f16x2" -> F16X2;
      case "bf16" -> BF16;
      case "bf16x2" -> BF16X2;
      case "f32" -> F32;
      case "f64" -> F64;
      default -> null;
    };
  }

  public int bits() {
    return bits;
  }

  /** The size in memory. */
  public int bytes() {
    return (bits + 7) / 8;
  }

  public Family family() {
    return family;
  }

  public boolean signed() {
    return family == Family.SIGNED;
  }

  /** Whether this is an integer or an untyped bit pattern. */
  public boolean integral() {
    return family == Family.BITS || family == Family.UNSIGNED || family == Family.SIGNED;
  }

  /** Whether values are half-precision numbers of either format, one or two of them. */
  public boolean half() {
    return this == F16 || this == F16X2 || this == BF16 || this == BF16X2;
  }
}
