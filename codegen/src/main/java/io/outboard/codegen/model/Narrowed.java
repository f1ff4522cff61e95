// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

/**
 * A number that is not as wide in the program's memory as on the wire.
 *
 * @param pointer the parameter with its address
 * @param by the parameter that says what it is
 * @param upTo the last value of that with which it is an int
 */
public record Narrowed(String pointer, String by, int upTo) {}
