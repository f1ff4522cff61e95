// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.transfer;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.vendor.Place;
import java.lang.foreign.Arena;

/**
 * Transfers of the host's library as sessions use them: none waits for the device, and on this
 * process's side rows have no gaps.
 */
final class PackedTransfers {
  private static final int NOT_BLOCKING = 0;
  private static final long FIRST = Arena.global().allocate(JAVA_LONG, 3).address();

  private final OpenClDriver vendor;

  PackedTransfers(OpenClDriver vendor) {
    this.vendor = vendor;
  }

  /** A box of a buffer: where its origin and its sides lie, and the pitches of the buffer. */
  record Box(long origin, long region, long rowPitch, long slicePitch) {}

  int read(Place at, long buffer, long offset, long size, long data) {
    return vendor.clEnqueueReadBuffer(
        at.queue(),
        buffer,
        NOT_BLOCKING,
        offset,
        size,
        data,
        at.waits(),
        at.waitList(),
        at.event());
  }

  int write(Place at, long buffer, long offset, long size, long data) {
    return vendor.clEnqueueWriteBuffer(
        at.queue(),
        buffer,
        NOT_BLOCKING,
        offset,
        size,
        data,
        at.waits(),
        at.waitList(),
        at.event());
  }

  int read(Place at, long buffer, Box box, long data) {
    return vendor.clEnqueueReadBufferRect(
        at.queue(),
        buffer,
        NOT_BLOCKING,
        box.origin(),
        FIRST,
        box.region(),
        box.rowPitch(),
        box.slicePitch(),
        0,
        0,
        data,
        at.waits(),
        at.waitList(),
        at.event());
  }

  int write(Place at, long buffer, Box box, long data, long bytes) {
    return vendor.clEnqueueWriteBufferRect(
        at.queue(),
        buffer,
        NOT_BLOCKING,
        box.origin(),
        FIRST,
        box.region(),
        box.rowPitch(),
        box.slicePitch(),
        0,
        0,
        data,
        bytes,
        at.waits(),
        at.waitList(),
        at.event());
  }

  int readImage(Place at, long image, long origin, long region, long data, long bytes) {
    return vendor.clEnqueueReadImage(
        at.queue(),
        image,
        NOT_BLOCKING,
        origin,
        region,
        0,
        0,
        data,
        bytes,
        at.waits(),
        at.waitList(),
        at.event());
  }

  int writeImage(Place at, long image, long origin, long region, long data, long bytes) {
    return vendor.clEnqueueWriteImage(
        at.queue(),
        image,
        NOT_BLOCKING,
        origin,
        region,
        0,
        0,
        data,
        bytes,
        at.waits(),
        at.waitList(),
        at.event());
  }
}
