// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import io.outboard.spec.Scalar;
import java.util.List;
import java.util.Optional;

/** A member of a structure. */
public sealed interface Member {
  /** Name. */
  String name();

  /** Offset in the structure, in bytes. */
  int offset();

  /**
   * One scalar or an array of them.
   *
   * @param count elements of the array; 0 if it is none
   * @param handle what is said of a handle
   * @param address whether it is an address in device memory
   * @param ordinal what is said of the number of a device
   */
  record Plain(
      String name,
      int offset,
      Scalar type,
      int count,
      HandleUse handle,
      boolean address,
      Optional<OrdinalUse> ordinal)
      implements Member {}

  /**
   * A structure or an array of them.
   *
   * @param count elements of the array; 0 if it is none
   */
  record Nested(String name, int offset, Structure structure, int count) implements Member {}

  /**
   * The address of an array that is read.
   *
   * @param count the member that has the number of elements
   */
  record Counted(String name, int offset, Target target, String count, HandleUse handle)
      implements Member {
    /** The structure that the elements are, if they are. */
    public Optional<Structure> structure() {
      return target instanceof Target.Structures(Structure structure)
          ? Optional.of(structure)
          : Optional.empty();
    }
  }

  /**
   * A union.
   *
   * @param bytes its size
   * @param tag the member that selects
   */
  record Choice(String name, int offset, int bytes, String tag, List<Case> cases)
      implements Member {}

  /**
   * A member of a union.
   *
   * @param name of the member in C
   * @param tags that select it
   */
  record Case(String name, List<Integer> tags, Structure structure) {}

  /** Elements that lie in place: 1 for what is no array. */
  default int elements() {
    return switch (this) {
      case Plain plain -> Math.max(1, plain.count());
      case Nested nested -> Math.max(1, nested.count());
      case Counted counted -> 1;
      case Choice choice -> 1;
    };
  }
}
