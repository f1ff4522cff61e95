// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The call copies between memory of the program and a device. The frontend's mover carries the
 * bytes: it knows which memory both sides share, and cuts large copies. The parameters are the
 * bytes, a device address, how many bytes there are, and perhaps the stream in whose order they go;
 * without a stream the copy is over when the function returns. The mover is written by hand (see
 * the generated header of the remote calls).
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Copy {}
