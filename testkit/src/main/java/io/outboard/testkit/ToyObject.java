// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static io.outboard.testkit.ToyKinds.BUFFER;
import static io.outboard.testkit.ToyKinds.NODE;

import io.outboard.spec.DevicePointer;
import io.outboard.spec.Handle;
import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * Handles and a device pointer.
 *
 * @param count number of nodes in use
 * @param buffer the buffer
 * @param address its address
 * @param nodes nodes of it
 */
@Struct
public record ToyObject(
    int count,
    @Handle(BUFFER) long buffer,
    @DevicePointer long address,
    @Handle(NODE) @Size(2) long[] nodes) {}
