// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.management;

import io.outboard.nvml.NvmlLinks;
import io.outboard.nvml.NvmlResult;
import io.outboard.wire.Native;

/** The connections of devices: nothing but the memory and the processors of the machine. */
final class ManagedLinks implements NvmlLinks {
  /** {@code NVML_TOPOLOGY_NODE}: they have a memory node in common. */
  private static final int SAME_NODE = 40;

  /** {@code NVML_P2P_STATUS_NOT_SUPPORTED}. */
  private static final int NO_PEERS = 5;

  /** {@code NVML_AFFINITY_SCOPE_NODE}. */
  private static final int NODE_SCOPE = 0;

  /** {@code NVML_AFFINITY_SCOPE_SOCKET}. */
  private static final int SOCKET_SCOPE = 1;

  private final Management management;

  ManagedLinks(Management management) {
    this.management = management;
  }

  @Override
  public int nvmlDeviceGetTopologyCommonAncestor(long device, long other, long level) {
    int result = management.check(level, other);
    return result == NvmlResult.SUCCESS
        ? management.answer(level, device, device == other ? 0 : SAME_NODE)
        : result;
  }

  @Override
  public int nvmlDeviceGetP2PStatus(long device, long other, int ability, long status) {
    int result = management.check(status, other);
    return result == NvmlResult.SUCCESS ? management.answer(status, device, NO_PEERS) : result;
  }

  /** All processors of the machine. */
  @Override
  public int nvmlDeviceGetCpuAffinity(long device, int words, long processors) {
    int result = words == 0 ? NvmlResult.INVALID_ARGUMENT : management.check(processors, device);
    if (result != NvmlResult.SUCCESS) {
      return result;
    }
    int left = Runtime.getRuntime().availableProcessors();
    for (int word = 0; word < words; word++, left -= Long.SIZE) {
      long mask = left >= Long.SIZE ? -1L : left <= 0 ? 0 : (1L << left) - 1;
      Native.putLong(processors + (long) Long.BYTES * word, mask);
    }
    return left > 0 ? NvmlResult.INSUFFICIENT_SIZE : NvmlResult.SUCCESS;
  }

  /** Those of its memory node, and those of its socket, are all of them too. */
  @Override
  public int nvmlDeviceGetCpuAffinityWithinScope(
      long device, int words, long processors, int scope) {
    return scope < NODE_SCOPE || scope > SOCKET_SCOPE
        ? NvmlResult.INVALID_ARGUMENT
        : nvmlDeviceGetCpuAffinity(device, words, processors);
  }
}
