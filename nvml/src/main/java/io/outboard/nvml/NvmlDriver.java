// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml;

import static io.outboard.nvml.NvmlKinds.DEVICE;
import static io.outboard.nvml.NvmlKinds.EVENT_SET;

import io.outboard.spec.Holds;
import io.outboard.spec.Kind;
import io.outboard.spec.Library;
import io.outboard.spec.Results;

/**
 * The management library ({@code libnvidia-ml.so.1}), after the NVML API Reference, 13.0.
 * Everything that serves it is an {@code NvmlDriver}: the vendor's library, the software GPU, the
 * client of a remote one.
 *
 * <p>Methods have the vendor's names, order of parameters and result codes. Pointers are addresses
 * in this process. An answer that a device need not have is a default method that refuses.
 */
@Library(
    name = "nvml",
    id = 2,
    soname = "libnvidia-ml.so.1",
    resultType = "nvmlReturn_t",
    survivesFork = true,
    kinds = {
      @Kind(
          id = DEVICE,
          name = "device",
          type = "nvmlDevice_t",
          holds = Holds.NOTHING,
          invalid = NvmlResult.INVALID_ARGUMENT),
      @Kind(
          id = EVENT_SET,
          name = "eventset",
          type = "nvmlEventSet_t",
          holds = Holds.NOTHING,
          invalid = NvmlResult.INVALID_ARGUMENT)
    },
    results =
        @Results(
            invalidValue = NvmlResult.INVALID_ARGUMENT,
            notSupported = NvmlResult.NOT_SUPPORTED,
            notInitialized = NvmlResult.UNINITIALIZED,
            unavailable = NvmlResult.DRIVER_NOT_LOADED,
            outOfMemory = NvmlResult.MEMORY,
            versionMismatch = NvmlResult.ARGUMENT_VERSION_MISMATCH))
public interface NvmlDriver
    extends NvmlSystem,
        NvmlDevices,
        NvmlMemory,
        NvmlActivity,
        NvmlPower,
        NvmlLinks,
        NvmlModes,
        NvmlEvents {}
