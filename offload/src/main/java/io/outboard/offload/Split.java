// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method whose result over a {@link Range} is made of its results over the range's parts, so that
 * several workers share the work. It is {@link Repeatable}: a part that is lost runs again.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface Split {
  /** How results become one. */
  enum Join {
    /** They are numbers: int, long or double. */
    SUM,
    /** They are lists, one behind the other. */
    CONCAT
  }

  /** The name of the parameter that is split, which is a {@link Range}. */
  String over();

  /** How the results of parts become one. */
  Join join();
}
