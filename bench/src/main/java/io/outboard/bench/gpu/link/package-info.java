// SPDX-License-Identifier: Apache-2.0
/**
 * Links that are long and narrow, made on this machine. A proxy passes bytes on late. Latency and
 * bandwidth have their own line for each direction.
 */
package io.outboard.bench.gpu.link;
