// SPDX-License-Identifier: Apache-2.0
/**
 * The flow of control of one kernel: calls put in place, basic blocks, cuts where threads wait,
 * regions between them, and which registers live where. The compiler writes methods along it.
 * Nothing here writes bytecode.
 */
package io.outboard.ptx.flow;
