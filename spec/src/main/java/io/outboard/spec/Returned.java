// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The C function has no such parameter: it returns what is written there, and writes its result
 * through a pointer that is its last parameter instead ({@code cl_mem clCreateBuffer(…, cl_int
 * *errcode_ret)}). For the last parameter, an {@link Out} of a single LONG; null or 0 is returned
 * where the call fails. In a library that keeps results ({@link Library#keepsResults}) nothing else
 * is written, and any scalar may be returned.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Returned {}
