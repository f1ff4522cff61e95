// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

/** The types of a graph's nodes ({@code CUgraphNodeType}). */
public final class NodeType {
  /** {@code CU_GRAPH_NODE_TYPE_KERNEL}. */
  public static final int KERNEL = 0;

  /** {@code CU_GRAPH_NODE_TYPE_MEMCPY}. */
  public static final int MEMCPY = 1;

  /** {@code CU_GRAPH_NODE_TYPE_MEMSET}. */
  public static final int MEMSET = 2;

  /** {@code CU_GRAPH_NODE_TYPE_HOST}. */
  public static final int HOST = 3;

  /** {@code CU_GRAPH_NODE_TYPE_GRAPH}. */
  public static final int GRAPH = 4;

  /** {@code CU_GRAPH_NODE_TYPE_EMPTY}. */
  static final int EMPTY = 5;

  /** {@code CU_GRAPH_NODE_TYPE_WAIT_EVENT}. */
  public static final int WAIT_EVENT = 6;

  /** {@code CU_GRAPH_NODE_TYPE_EVENT_RECORD}. */
  public static final int EVENT_RECORD = 7;

  /** {@code CU_GRAPH_NODE_TYPE_MEM_ALLOC}. */
  public static final int MEM_ALLOC = 10;

  /** {@code CU_GRAPH_NODE_TYPE_MEM_FREE}. */
  public static final int MEM_FREE = 11;

  /** {@code CU_GRAPH_NODE_TYPE_BATCH_MEM_OP}. */
  public static final int BATCH_MEM_OP = 12;

  /** {@code CU_GRAPH_NODE_TYPE_CONDITIONAL}. */
  public static final int CONDITIONAL = 13;

  private NodeType() {}
}
