// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The call has to do with work of a device: it asks for some, or waits for some.
 *
 * <p>While somebody watches, the generated C calls two functions that are written by hand: {@code
 * LIBRARY_work_begins} before such a call, and {@code LIBRARY_work_seen} after one that was
 * answered with success, which may mean that work is over. So what the program and devices have
 * each for themselves is brought in line without a word in any hand-written function.
 *
 * <p>A call that is {@link Work#COMPUTE} passes through the generated {@code LibraryMetered}, which
 * lets a decorator hold it up and measure it. Tests find those calls by this annotation, which is
 * why it is kept at run time.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface DeviceWork {
  /** Which work. */
  Work value();

  /**
   * The parameter whose handle is the queue that the work goes to, of {@link Work#COMPUTE} only;
   * empty where that is the default queue, or is found by hand.
   */
  String in() default "";
}
