// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The program's value here, or list of values, is the answer to a later question about the object
 * that the call makes; for a library with {@link Library#objects}. The function that keeps it is
 * written by hand (see the generated header of the remote calls).
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Known {
  /** The name of the question. */
  int value();
}
