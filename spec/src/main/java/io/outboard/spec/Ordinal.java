// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value (or, with {@link In} or {@link Out}, what the address points to) is the number of a
 * device. The program counts the devices that it sees, and the backend those that the session has:
 * the generated symbol translates one into the other. A call with such a parameter needs an
 * initialised library. A number that names no device the symbol refuses, and a null pointer to one
 * too.
 *
 * <p>A symbol that is written by hand translates by itself; members of structures have functions
 * for it in the generated header of the remote calls.
 */
@Target({ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.SOURCE)
public @interface Ordinal {
  /** In a structure: the member that says whether this is a device's number; empty if always. */
  String tag() default "";

  /** The value of that member which says so. */
  int is() default 0;
}
