// SPDX-License-Identifier: Apache-2.0
/**
 * The vocabulary in which a virtualized library is described: one annotated Java interface is the
 * only place where a function is written down. Everything else (C stubs, dispatcher, bindings, JVM
 * client, tables) is generated from it.
 *
 * <p>In such an interface every pointer is a {@code long} that holds an address of the process that
 * executes the call; {@link io.outboard.spec.In}, {@link io.outboard.spec.Out} and {@link
 * io.outboard.spec.InOut} say what lies there.
 */
package io.outboard.spec;
