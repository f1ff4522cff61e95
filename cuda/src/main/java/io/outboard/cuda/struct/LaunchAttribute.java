// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import static io.outboard.cuda.CudaKinds.EVENT;

import io.outboard.spec.Handle;
import io.outboard.spec.Struct;
import io.outboard.spec.Union;

/**
 * An attribute of a launch, a stream or a kernel node ({@code CUlaunchAttribute}).
 *
 * @param id {@code CUlaunchAttributeID}
 * @param padding nothing
 * @param value its value, of 64 bytes
 */
@Struct("CUlaunchAttribute")
public record LaunchAttribute(
    int id, int padding, @Union(tag = "id", size = LaunchAttribute.VALUE_BYTES) Value value) {
  /** Size of a value in bytes. */
  public static final int VALUE_BYTES = 64;

  /** Size of the structure in bytes. */
  public static final int BYTES = 8 + VALUE_BYTES;

  /** Blocks of the grid run at the same time. */
  public static final int COOPERATIVE = 2;

  /** Blocks of a cluster. */
  public static final int CLUSTER_DIMENSION = 4;

  /** An event of which blocks say when it happens. */
  public static final int PROGRAMMATIC_EVENT = 7;

  /** Blocks of a cluster, if that is possible. */
  public static final int PREFERRED_CLUSTER_DIMENSION = 11;

  /** An event that happens when all blocks have been launched. */
  public static final int LAUNCH_COMPLETION_EVENT = 12;

  /** The node can be changed from the device. */
  public static final int DEVICE_UPDATABLE_KERNEL_NODE = 13;

  /** The values that hold a handle; all others are plain bytes. */
  public sealed interface Value {}

  /**
   * An event and how it is recorded.
   *
   * @param event the event
   * @param flags as of {@code cuEventRecordWithFlags}
   * @param atBlockStart whether each block triggers it when it starts
   */
  @Struct("CUlaunchEvent")
  @Union.Case({PROGRAMMATIC_EVENT, LAUNCH_COMPLETION_EVENT})
  public record EventValue(@Handle(EVENT) long event, int flags, int atBlockStart)
      implements Value {}
}
