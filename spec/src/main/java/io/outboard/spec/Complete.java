// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The frontend checks first that this object has all that it needs, and returns the error of one
 * that lacks something. The function that checks is written by hand (see the generated header of
 * the remote calls). For a library with {@link Library#objects}.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Complete {}
