// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A structure of the vendor's ABI, as a record whose components are its members in order, laid out
 * by C's rules for 64-bit little-endian systems. Members are scalars ({@code byte short int long
 * float double}), nested structures, {@link Size}d arrays, handles, device pointers, unions, and
 * pointers with {@link In} and a count that is another member.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.SOURCE)
public @interface Struct {
  /** The C name; empty means the record's. */
  String value() default "";

  /**
   * Size on the wire in bytes, if it is larger than the layout: room that later versions may fill.
   */
  int wireSize() default 0;

  /**
   * The first member is an {@code int} whose lower 24 bits are the size that the caller's structure
   * has: no more of it is read or written, so that versions that only add members are one record.
   * One that is larger than the record is {@link Results#versionMismatch}. Only for a single
   * structure that is read.
   */
  boolean sized() default false;
}
