// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A function that travels but has parts written by hand. The method describes the call on the wire;
 * the frontend's generated part is the function {@code remote_NAME}, which the hand-written C
 * symbol uses.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Custom {
  /** Why it cannot be generated whole. */
  String value();

  /** The C prototype of the symbol, where it differs from the method. */
  String prototype() default "";

  /** Whether the C symbol is written by hand. */
  boolean frontend() default true;

  /**
   * Whether the binding to the vendor's library is written by hand too: the generated one leaves it
   * abstract.
   */
  boolean binding() default false;
}
