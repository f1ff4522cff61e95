// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The call is about a handle whose latest calls may have been posted in another lane. Where they
 * were, the call is ordered: it begins when all earlier frames are issued. The function that knows
 * the lanes is written by hand (see the generated header of the remote calls).
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.SOURCE)
public @interface OrderedBy {}
