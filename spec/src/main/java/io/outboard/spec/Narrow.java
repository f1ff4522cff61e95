// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The number behind the address is a long on the wire. In the program's memory it is an int where
 * another parameter, that says what it is, has one of the first values. A null pointer the frontend
 * refuses.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Narrow {
  /** The parameter that says what the number is. */
  String by();

  /** The last of its values with which the number is an int. */
  int upTo();
}
