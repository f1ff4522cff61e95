// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The vendor's function has no such parameter: the hand-written part of the frontend finds it, the
 * length of a list that ends with 0 for example. It travels, and the binding leaves it out.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface Found {}
