// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.stream;

import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.share.SharedMark;

/** Waits for a recording that another process may do. */
final class MarkWait extends Operation {
  private final SharedMark mark;
  private final long number;

  /** Of the latest recording. */
  MarkWait(SharedMark mark) {
    this.mark = mark;
    this.number = mark.latest();
  }

  @Override
  public void perform(Context context) {
    mark.await(number, context::isOver);
  }
}
