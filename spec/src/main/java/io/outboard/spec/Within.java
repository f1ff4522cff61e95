// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The scalar that the call writes here says how many elements, or bytes, of another output there
 * are: after a success never more than there was room for. A client takes no other answer. It holds
 * without an annotation for a scalar that is read, too, and is the length of an output.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Within {
  /** The parameter with that output. */
  String value();
}
