// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The frontend checks first that something is there, and returns its error if it is not. The
 * functions that check are written by hand (see the generated header of the remote calls).
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Ready {
  /** The condition. */
  Need value();
}
