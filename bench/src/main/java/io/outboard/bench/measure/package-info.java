// SPDX-License-Identifier: Apache-2.0
/**
 * Shared by benchmarks: the backend that runs meanwhile, the C programs, the media, CPU time and
 * medians. Everything that is started ends with the benchmark. A report names the machine and the
 * time.
 */
package io.outboard.bench.measure;
