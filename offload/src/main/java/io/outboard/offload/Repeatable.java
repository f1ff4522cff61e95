// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of an {@link Offload} interface that may run more than once for a call, as it changes
 * nothing. Without this a call runs at most once: if nobody knows whether it has begun, it fails.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface Repeatable {}
