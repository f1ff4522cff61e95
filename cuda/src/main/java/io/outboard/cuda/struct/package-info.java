// SPDX-License-Identifier: Apache-2.0
/**
 * CUDA's structures, as records that name their members. The processor lays them out as C does.
 * Some are Outboard's own: they answer many questions of the runtime at once.
 */
package io.outboard.cuda.struct;
