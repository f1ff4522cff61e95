// SPDX-License-Identifier: Apache-2.0
/**
 * Three programs on the processor and on a GPU, over each medium, with and without a hypervisor.
 */
package io.outboard.bench.seeds;
