// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Other exported symbols with the same parameters that fold into this call, so that the wire and
 * every decorator see one call. A name ending in {@code _ptds} or {@code _ptsz} means a per-thread
 * default stream: the frame says so with a flag.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Variants {
  /** The symbols. */
  String[] value();

  /**
   * Where the function has no stream: the one that does the same in a stream, its last parameter.
   * The variant for a per-thread default stream calls that function with stream 0. In C the mover
   * of a {@link Copy} finds it by itself.
   */
  String inStream() default "";
}
