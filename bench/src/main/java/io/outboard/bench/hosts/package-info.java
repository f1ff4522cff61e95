// SPDX-License-Identifier: Apache-2.0
/**
 * The cost of a joined host's devices: calls beside those of a session with it alone, and copies
 * beside what the network between both carries. The hosts are network namespaces of one machine.
 */
package io.outboard.bench.hosts;
