// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

/**
 * A symbol that the vendor's library exports.
 *
 * @param name the symbol
 * @param base the name by which it is asked for, empty if it is an export only
 * @param version the first version with it
 * @param perThread whether it uses the thread's own default stream
 */
public record Symbol(String name, String base, int version, boolean perThread) {}
