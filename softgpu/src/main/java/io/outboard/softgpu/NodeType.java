// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

/** What a node of a graph does ({@code CUgraphNodeType}). */
final class NodeType {
  /** {@code CU_GRAPH_NODE_TYPE_KERNEL}. */
  static final int KERNEL = 0;

  /** {@code CU_GRAPH_NODE_TYPE_MEMCPY}. */
  static final int MEMCPY = 1;

  /** {@code CU_GRAPH_NODE_TYPE_MEMSET}. */
  static final int MEMSET = 2;

  /** {@code CU_GRAPH_NODE_TYPE_HOST}. */
  static final int HOST = 3;

  /** {@code CU_GRAPH_NODE_TYPE_GRAPH}. */
  static final int GRAPH = 4;

  /** {@code CU_GRAPH_NODE_TYPE_EMPTY}. */
  static final int EMPTY = 5;

  /** {@code CU_GRAPH_NODE_TYPE_WAIT_EVENT}. */
  static final int WAIT_EVENT = 6;

  /** {@code CU_GRAPH_NODE_TYPE_EVENT_RECORD}. */
  static final int EVENT_RECORD = 7;

  /** {@code CU_GRAPH_NODE_TYPE_MEM_ALLOC}. */
  static final int MEM_ALLOC = 10;

  /** {@code CU_GRAPH_NODE_TYPE_MEM_FREE}. */
  static final int MEM_FREE = 11;

  /** {@code CU_GRAPH_NODE_TYPE_BATCH_MEM_OP}. */
  static final int BATCH_MEM_OP = 12;

  /** {@code CU_GRAPH_NODE_TYPE_CONDITIONAL}. */
  static final int CONDITIONAL = 13;

  private NodeType() {}
}
