// SPDX-License-Identifier: Apache-2.0
/**
 * The connection between a broker and the nodes of its pool: what they say to each other, as JSON,
 * and the node's side.
 */
package io.outboard.api.node;
