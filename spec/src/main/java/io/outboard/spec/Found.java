// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The vendor's function has no such parameter: the frontend finds it. It travels, and the binding
 * leaves it out.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Found {
  /**
   * The parameter with a list of pairs that ends with 0, whose length this one is, with the 0; 0
   * for no list. Empty: the part of the frontend that is written by hand finds it.
   */
  String pairs() default "";

  /**
   * The parameter that says how many values there are behind the address whose length this is: the
   * function that knows it is written by hand (see the generated header of the remote calls). The
   * vendor's library gets room for 1024 whatever this says; more are refused. For a library that
   * keeps results ({@link Library#keepsResults}).
   */
  String values() default "";

  /** Whether a list that names something twice is refused. */
  boolean once() default false;
}
