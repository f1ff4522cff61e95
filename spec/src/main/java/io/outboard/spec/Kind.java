// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** One kind of handle of a library. */
@Target({})
@Retention(RetentionPolicy.SOURCE)
public @interface Kind {
  /**
   * Number of the kind, 1 to 63, unique among the libraries of a process; interfaces give it a name
   * as a constant.
   */
  int id();

  /** Name in lower case, for messages and generated names. */
  String name();

  /** The C type of the handle, for example {@code CUstream}. */
  String type();

  /** What its objects have of a device. */
  Holds holds();

  /** The vendor's result for a handle of this kind that is wrong, stale or foreign. */
  int invalid();

  /**
   * The frontend's result for a handle of another kind, where the library's entries are described;
   * 0 where it does not look.
   */
  int other() default 0;

  /** The same for what is no handle at all; 0 where it is {@link #other}. */
  int garbage() default 0;

  /** The same for null, where it means nothing; 0 where functions take it. */
  int absent() default 0;

  /**
   * Whether calls name parts of such an object, and the backend alone knows how large it is: a
   * posted call about one is answered, so that the error is its own.
   */
  boolean bounded() default false;

  /**
   * Values below 3, or −1, that the vendor gives a meaning of its own (null, legacy stream, …).
   * They pass unchanged to the library and are never looked up.
   */
  long[] specials() default {};

  /**
   * The special value that 0 stands for in a call that the frame marks per-thread; 0 where the kind
   * knows no such thing.
   */
  long perThread() default 0;

  /**
   * Whether each host of a program may have the object, under a value of its own. A call with it
   * goes where its other handles and devices belong, else to the host of the thread's context.
   */
  boolean everywhere() default false;
}
