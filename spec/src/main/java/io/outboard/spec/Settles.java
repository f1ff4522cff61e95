// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A success stands until the session sends another frame: the frontend answers the same call of the
 * same thread by itself while nothing has been sent since. For waits and queries of work that only
 * the session's own calls can add to. At most eight bytes of parameters, and no outputs.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Settles {
  /** Bytes of parameters. */
  int LIMIT = 8;
}
