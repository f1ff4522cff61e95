// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The call is posted: the frontend returns success at once, and an error is latched and reported by
 * a later call. Allowed only where, after the frontend's local checks, the vendor itself may report
 * late; such a method has no outputs.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Async {}
