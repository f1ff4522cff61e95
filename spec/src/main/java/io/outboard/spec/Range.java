// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The device address is where a range begins that the call hands out or takes back. The frontend
 * reserves such a range in the program's address space, since device addresses are never
 * translated. The functions that do so are written by hand (see the generated header of the remote
 * calls).
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Range {
  /** Which of both. */
  Use value();

  /**
   * With {@link Use#RESERVE}: how long the range is, as the length expressions of {@link In}; an
   * output may be named too. Empty: the frontend asks the backend.
   */
  String bytes() default "";

  /**
   * With {@link Use#RESERVE}: the call that takes back a range for which the program has no room.
   * Its parameters are some of this call's, by name.
   */
  String undo() default "";

  /** With {@link Use#RESERVE}: the stream in whose order the range comes, or empty. */
  String in() default "";

  /** The effect of a call on a range. */
  enum Use {
    /** The call hands it out. */
    RESERVE,
    /** The call takes it back. */
    RELEASE
  }
}
