// SPDX-License-Identifier: Apache-2.0
package io.outboard.cupti;

import io.outboard.spec.Library;
import io.outboard.spec.Results;

/**
 * The profiling library ({@code libcupti.so.13}), after the CUPTI documentation, 13.0. A program's
 * calls are answered where it runs; what devices have done comes by the calls of {@link
 * CuptiRecords}.
 */
@Library(
    name = "cupti",
    id = 4,
    soname = "libcupti.so.13",
    resultType = "CUptiResult",
    results =
        @Results(
            invalidValue = CuptiResult.INVALID_PARAMETER,
            notSupported = CuptiResult.NOT_SUPPORTED,
            notInitialized = CuptiResult.NOT_INITIALIZED,
            unavailable = CuptiResult.NOT_INITIALIZED,
            outOfMemory = CuptiResult.OUT_OF_MEMORY))
public interface CuptiDriver extends CuptiRecords, CuptiActivity, CuptiCallbacks {}
