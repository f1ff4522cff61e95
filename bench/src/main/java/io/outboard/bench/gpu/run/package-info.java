// SPDX-License-Identifier: Apache-2.0
/**
 * Programs of the benchmark and their runs. A piece is run each way, natively first, and its output
 * is read. A result survives the end of the benchmark.
 */
package io.outboard.bench.gpu.run;
