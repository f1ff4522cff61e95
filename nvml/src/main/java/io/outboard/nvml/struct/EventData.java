// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.nvml.NvmlKinds;
import io.outboard.spec.Handle;
import io.outboard.spec.Struct;

/**
 * An event of a device.
 *
 * @param device which device
 * @param type one bit of the types
 * @param data what belongs to the type
 * @param gpuInstance instance of a partitioned device
 * @param computeInstance compute instance of it
 */
@Struct("nvmlEventData_t")
public record EventData(
    @Handle(NvmlKinds.DEVICE) long device,
    long type,
    long data,
    int gpuInstance,
    int computeInstance) {}
