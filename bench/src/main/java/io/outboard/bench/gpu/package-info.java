// SPDX-License-Identifier: Apache-2.0
/**
 * {@code outboard bench gpu}: the same programs with the driver of this machine and with Outboard
 * in its place, in one run. Each round runs a program once each way. The results are written as
 * they come.
 */
package io.outboard.bench.gpu;
