// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A function that the frontend answers itself; it never travels. Its C is written by hand, except
 * where it only counts an owner ({@link Handle.Life#RETAIN}). The interface method is a {@code
 * default} one (the Java counterpart, or a refusal that the coverage table lists as missing).
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Local {
  /** The C prototype, where it cannot be derived from the method. */
  String prototype() default "";
}
