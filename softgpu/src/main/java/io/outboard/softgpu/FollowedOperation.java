// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

/** Work after which something is to be done, also where the work is not done any more. */
final class FollowedOperation extends Operation {
  private final Operation work;
  private final Runnable then;

  FollowedOperation(Operation work, Runnable then) {
    this.work = work;
    this.then = then;
  }

  @Override
  boolean always() {
    return true;
  }

  @Override
  void perform(Context context) {
    try {
      work.execute(context);
    } finally {
      then.run();
    }
  }
}
