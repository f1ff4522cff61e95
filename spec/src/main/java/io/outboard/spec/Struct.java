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
}
