// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The call fills device memory with a value. Memory that only the program has, although the device
 * may name it, the frontend fills itself. The parameters are a device address, the value, how many
 * of them there are, and perhaps the stream in whose order they are written. The function that
 * fills is written by hand (see the generated header of the remote calls).
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Fill {}
