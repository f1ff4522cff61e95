// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value is an offset into the buffer that is bound, or an address in the program's memory where
 * none is bound. The binding to the vendor's library looks first, and refuses an address: it is
 * none of this process's. The function that looks is written by hand (see the generated binding).
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Offset {
  /** The name by which the library is asked which buffer is bound. */
  int value();
}
