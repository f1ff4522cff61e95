// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The object that the call is given first becomes an owner of this one, until it ends; for a
 * library with {@link Library#objects}. The function that counts is written by hand (see the
 * generated header of the remote calls).
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Own {}
