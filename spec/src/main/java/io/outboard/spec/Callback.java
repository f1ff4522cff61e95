// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The parameter is a C function of the client. The wire carries a number for it; the backend gives
 * the library a function of its own that calls back to the client and waits for it.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Callback {
  /** The parameter that the library hands back to the function. */
  String userData();

  /**
   * Which of the function's arguments that is, from 0. Of the others the second one travels where
   * the user data come third: it is a status, an int.
   */
  int position() default 0;

  /** Whether the library may run the function more than once. */
  boolean repeated() default false;
}
