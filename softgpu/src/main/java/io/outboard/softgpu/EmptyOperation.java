// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

/** Nothing to do but to have waited. */
final class EmptyOperation extends Operation {
  @Override
  void perform(Context context) {}
}
