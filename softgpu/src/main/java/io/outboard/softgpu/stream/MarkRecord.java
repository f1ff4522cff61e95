// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.stream;

import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.share.SharedMark;

/** Says to all processes that the work before it is done. */
final class MarkRecord extends Operation {
  private final SharedMark mark;
  private final long number;

  MarkRecord(SharedMark mark) {
    this.mark = mark;
    this.number = mark.ask();
  }

  @Override
  public boolean always() {
    return true;
  }

  @Override
  public void perform(Context context) {
    mark.done(number);
  }
}
