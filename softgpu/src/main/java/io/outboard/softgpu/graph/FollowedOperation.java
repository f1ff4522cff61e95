// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Operation;

/** Work after which something is to be done, also where the work is not done any more. */
final class FollowedOperation extends Operation {
  private final Operation work;
  private final Runnable then;

  FollowedOperation(Operation work, Runnable then) {
    this.work = work;
    this.then = then;
  }

  @Override
  public boolean always() {
    return true;
  }

  @Override
  public void perform(Context context) {
    try {
      work.execute(context);
    } finally {
      then.run();
    }
  }
}
