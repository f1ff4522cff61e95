// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

/**
 * A feature that a kernel uses and that is not implemented here.
 *
 * @param line where it is in the text, from 1; 0 for what has no line
 * @param what the instruction with its modifiers and, in parentheses, which part of it is missing
 */
public record PtxMissing(int line, String what) {}
