// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The answer to the same arguments stays, and the frontend asks once: as long as the process lives,
 * or until the program changes what the answer is about.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Cached {
  /**
   * The topic with whose change the answer ends, in lower case; empty where it never changes. The
   * topic is that of the first handle of the call, on the device that the call names, if it has
   * them. The call then has one output, an int or a long, and at most three other numbers. What
   * belongs to a topic is written by hand (see the generated header of the remote calls).
   */
  String until() default "";
}
