// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The parameter is the address of something that the call writes; null is carried as null. Exactly
 * one of {@link #value}, {@link #bytes} and {@link #struct} says what lies there. Length
 * expressions name parameters and constants, with {@code + - *} and parentheses.
 */
@Target({ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.SOURCE)
public @interface Out {
  /** Scalars of this type: one, or {@link #count} of them. */
  Scalar value() default Scalar.NONE;

  /** A structure (a record with {@link Struct}): one, or {@link #count} of them. */
  Class<?> struct() default void.class;

  /** How many scalars or structures lie there; empty means one. */
  String count() default "";

  /** How many bytes lie there. */
  String bytes() default "";

  /**
   * Names the parameters that advance with the data, separated by commas: a transfer that is larger
   * than one frame is cut, and each part is a call of its own with these parameters moved on and
   * the length shortened.
   */
  String advancing() default "";

  /** Null means that the program does not want it, and is not refused. */
  boolean optional() default false;
}
