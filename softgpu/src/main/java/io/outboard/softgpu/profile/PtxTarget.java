// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.profile;

import io.outboard.ptx.PtxModule;

/** The architecture that a PTX text was made for ({@code .target}). */
public final class PtxTarget {
  private PtxTarget() {}

  /** The number in a target such as {@code sm_75}, 0 when there is none. */
  public static int architecture(PtxModule module) {
    int number = 0;
    String target = module.target();
    for (int i = target.indexOf('_') + 1; i < target.length(); i++) {
      char digit = target.charAt(i);
      if (digit < '0' || digit > '9') {
        break;
      }
      number = 10 * number + (digit - '0');
    }
    return number;
  }
}
