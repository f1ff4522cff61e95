// SPDX-License-Identifier: Apache-2.0
/**
 * What the devices of a joined host cost: calls beside those of a session with it alone, and copies
 * beside what the network between both carries. The hosts are network namespaces of one machine.
 */
package io.outboard.bench.hosts;
