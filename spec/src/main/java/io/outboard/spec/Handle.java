// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The value (or, with {@link In} or {@link Out}, what the address points to) is a handle. */
@Target({ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.SOURCE)
public @interface Handle {
  /** The kinds that are accepted; the first one is the kind of a handle that comes out. */
  int[] value();

  /** The effect of the call on the handle. */
  Life life() default Life.USE;

  /**
   * The vendor's result for a wrong, stale or foreign handle here, where it is not that of the
   * handle's kind: one of a list, for example; 0 where it is.
   */
  int invalid() default 0;

  /**
   * The parameter whose handle owns this one: it dies with its owner. Only with {@link
   * Life#CREATE}, {@link Life#GIVE} or outputs.
   */
  String parent() default "";

  /** The effect of a call on a handle. */
  enum Life {
    /**
     * Uses it; as an output: the library hands out a handle that the session may or may not know
     * already.
     */
    USE,
    /** Makes it; the frontend mints its number, so that creating need not wait. */
    CREATE,
    /** Ends it, if the call succeeds. */
    DESTROY,
    /** Gives it to the handle that {@link #parent} names, if the call succeeds. */
    GIVE,
    /**
     * Counts one more owner of the program's object. The frontend counts, and its symbol is
     * generated: for a {@link Local} function with this one parameter, of a library with {@link
     * Library#objects}.
     */
    RETAIN,
    /**
     * Takes one owner away. The call travels, and then ends the handle as {@link #DESTROY} does,
     * once the frontend has counted the last owner; its symbol is generated. One function of each
     * kind, with this one parameter, of a library with {@link Library#objects}.
     */
    RELEASE
  }
}
