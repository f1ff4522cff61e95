// SPDX-License-Identifier: Apache-2.0
/**
 * Blocks that run: their context, memories, textures, barriers and warps. Generated code reads the
 * fields of the context directly, so its class lies in this package. Workers take blocks in order,
 * and each runs a block from start to end.
 */
package io.outboard.ptx.run;
