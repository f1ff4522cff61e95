// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A function of the vendor's that is not implemented, described because its result does not come
 * back as others do (see {@link Returned}): the frontend refuses it in its own shape, and the
 * coverage table counts it. The interface method is a {@code default} one.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Refused {}
