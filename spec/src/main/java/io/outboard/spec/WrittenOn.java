// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The results, other than success, with which the call writes its outputs all the same: how much
 * room would have been needed, for example.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface WrittenOn {
  /** The vendor's codes of these results. */
  int[] value();
}
