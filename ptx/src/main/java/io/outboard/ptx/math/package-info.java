// SPDX-License-Identifier: Apache-2.0
/**
 * Arithmetic as the ISA defines it, where it differs from Java's: rounding, halves, bits, carries,
 * atomics, and which element of a matrix a lane holds. Generated code calls it with plain numbers.
 * Nothing here knows a block or its memory.
 */
package io.outboard.ptx.math;
