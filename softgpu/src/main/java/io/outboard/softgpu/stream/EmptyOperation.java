// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.stream;

import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Operation;

/** Nothing to do but to have waited. */
public final class EmptyOperation extends Operation {
  @Override
  public void perform(Context context) {}
}
