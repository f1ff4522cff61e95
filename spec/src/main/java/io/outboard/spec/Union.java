// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A union: a sealed interface whose records, each with {@link Case}, are its members. The
 * structure's member {@link #tag} says which one is meant; an unknown tag is carried as plain
 * bytes.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.SOURCE)
public @interface Union {
  /** The member (an {@code int}) of the enclosing structure that selects. */
  String tag();

  /** Size of the union in bytes; 0 means the largest member's. */
  int size() default 0;

  /** One member of a union. */
  @Target(ElementType.TYPE)
  @Retention(RetentionPolicy.SOURCE)
  @interface Case {
    /** The tags that select it. */
    int[] value();
  }
}
