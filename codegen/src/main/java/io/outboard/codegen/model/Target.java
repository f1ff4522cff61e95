// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import io.outboard.spec.Scalar;

/** The type behind a pointer. */
public sealed interface Target {
  /** Scalars. */
  record Scalars(Scalar type) implements Target {}

  /** Structures. */
  record Structures(Structure structure) implements Target {}

  /** Bytes without a type. */
  record Bytes() implements Target {}

  /** A text ended by NUL. */
  record Text() implements Target {}

  /** Size of one element in memory, in bytes. */
  default int bytes() {
    return switch (this) {
      case Scalars(Scalar type) -> type.bytes();
      case Structures(Structure structure) -> structure.bytes();
      case Bytes() -> 1;
      case Text() -> 1;
    };
  }

  /** Size of a single element in the fixed part, in bytes. */
  default int wireBytes() {
    return this instanceof Structures(Structure structure) ? structure.wireBytes() : bytes();
  }

  /** Alignment of an element, in bytes. */
  default int alignment() {
    return this instanceof Structures(Structure structure) ? structure.alignment() : bytes();
  }
}
