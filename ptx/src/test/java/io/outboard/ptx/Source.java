// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx;

import io.outboard.ptx.host.Dim3;
import io.outboard.ptx.host.PtxTrap;

/** Puts the frame of a module around the body of one kernel, for tests. */
final class Source {
  private Source() {}

  /** A kernel {@code test} whose one parameter is in {@code %out}; {@code %t} is the thread. */
  static String kernel(String body) {
    return kernel("", body);
  }

  /** The same after {@code declarations} of module scope. */
  static String kernel(String declarations, String body) {
    return """
        .version 8.5
        .target sm_75
        .address_size 64
        %s
        .visible .entry test(.param .u64 out)
        {
          .reg .pred %%p<20>;
          .reg .b32 %%r<40>;
          .reg .f32 %%f<20>;
          .reg .b64 %%d<20>;
          .reg .b64 %%out, %%my;
          .reg .b32 %%t;
          ld.param.u64 %%out, [out];
          mov.u32 %%t, %%tid.x;
          mad.wide.u32 %%my, %%t, 4, %%out;
        %s
          ret;
        }
        """
        .formatted(declarations, body);
  }

  /** Runs {@code text} with one block of {@code threads}; returns an int for each thread. */
  static int[] run(String text, int threads) throws PtxTrap {
    try (Device device = new Device(1 << 20)) {
      long out = device.allocate(4L * threads);
      PtxKernel kernel = device.load(text).kernels().get("test");
      device.launch(kernel, Dim3.of(1), Dim3.of(threads), 0, out);
      return device.ints(out, threads);
    }
  }
}
