// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What the call takes of a device. The generated dispatcher has the call pass the meter of the
 * session's lease accordingly, so that a lease binds a library without a word in its code. Which
 * calls have to say it follows from their handles ({@link Kind#holds}).
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Takes {
  /** Which of it. */
  Resource value();

  /** The bytes of {@link Resource#MEMORY}: an expression over the call's parameters. */
  String bytes() default "";

  /**
   * A class of the interface's package, in place of {@link #bytes}: its static method with the
   * call's name and parameters returns the bytes, negative for too many.
   */
  String by() default "";

  /**
   * The parameter with the handle that says which devices: the queue of what computes, the owner of
   * memory. Empty for all devices of the session.
   */
  String of() default "";

  /** The output that has the memory's address, where no handle stands for it. */
  String at() default "";

  /** The parameter with an address of such memory, which the call gives back. */
  String ends() default "";

  /**
   * Whether a decorator of the library's own counts it, since what it takes is found in more ways
   * than an expression has. A test has to hold that the decorator has the call.
   */
  boolean decorated() default false;
}
