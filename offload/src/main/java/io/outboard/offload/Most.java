// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The greatest length of a value: elements of arrays, lists and maps, bytes of a string in UTF-8.
 * It holds for each level of a nested value. Both sides refuse a longer one.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.PARAMETER, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface Most {
  /** The length where nothing else is said. */
  int USUAL = 1 << 24;

  /** At least 1. */
  int value();
}
