// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A function that travels. Without another annotation it is answered: one round trip. The pair of
 * number and encoding is locked for ever; a new encoding takes a new number.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Call {
  /** The function's number on the wire, 1 to 65,535. */
  int value();
}
