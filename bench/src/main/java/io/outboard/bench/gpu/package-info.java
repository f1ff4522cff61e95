// SPDX-License-Identifier: Apache-2.0
/**
 * {@code outboard bench gpu}: the same programs with the driver of this machine and with Outboard
 * in its place, in one run.
 */
package io.outboard.bench.gpu;
