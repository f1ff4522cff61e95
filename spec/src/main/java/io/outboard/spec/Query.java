// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A question about an object, by name: object, name, size, value, and the size of the answer. Most
 * answers never change, and the frontend asks once. Some it knows itself, as they are objects of
 * the program; their names are here, 0 where there is no such question. For a library with {@link
 * Library#objects}; the function that answers is written by hand (see the generated header of the
 * remote calls).
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Query {
  /** How many owners the object has. */
  int owners() default 0;

  /** The context that it belongs to. */
  int context() default 0;

  /** The platform that it belongs to. */
  int platform() default 0;

  /** The object that it was made from; none if that is a context. */
  int parent() default 0;

  /** An object that there never is. */
  int none() default 0;

  /** The context again, under a name that not every backend knows: it is asked whether it does. */
  int late() default 0;

  /** An answer that changes: the backend is asked each time. */
  int varies() default 0;

  /** How far work has come: it changes until it is 0 or less, from which the program learns. */
  int ends() default 0;

  /** Numbers that the frontend alone knows, 0 until it has remembered one; at most two. */
  int[] own() default {};
}
