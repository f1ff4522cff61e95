// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * A name of memory.
 *
 * @param bytes the driver's
 */
@Struct("CUipcMemHandle")
public record IpcMemoryName(@Size(64) byte[] bytes) {}
