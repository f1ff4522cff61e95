// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Of the calls of a client's other threads, the call has an order only with those that touch this
 * handle or address, what this structure names, or another one of its parameters with this
 * annotation, and with those that have an order with everything. A call without the annotation is
 * of the latter. The functions that know which handles stand for more than themselves, and what a
 * structure names, are written by hand (see the generated header of the remote calls).
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Touches {}
