// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A success is remembered of the first object: from then on a question of this name has the answer
 * 1. For a library with {@link Library#objects}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Marks {
  /** The name; none that the vendor uses. */
  int value();
}
