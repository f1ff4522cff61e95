// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * A name of an event.
 *
 * @param bytes the driver's
 */
@Struct("CUipcEventHandle")
public record IpcEventName(@Size(64) byte[] bytes) {}
