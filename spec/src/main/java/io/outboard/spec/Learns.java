// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The program learns from a success that earlier work of the first object is over. A function that
 * is written by hand is told when the call begins and when it has returned, and puts in place what
 * has come meanwhile (see the generated header of the remote calls). For a library with {@link
 * Library#objects}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.SOURCE)
public @interface Learns {}
