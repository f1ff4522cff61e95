// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

/** Says to all processes that the work before it is done. */
final class MarkRecord extends Operation {
  private final SharedMark mark;
  private final long number;

  MarkRecord(SharedMark mark) {
    this.mark = mark;
    this.number = mark.ask();
  }

  @Override
  boolean always() {
    return true;
  }

  @Override
  void perform(Context context) {
    mark.done(number);
  }
}
