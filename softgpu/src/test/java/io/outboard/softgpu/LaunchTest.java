// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.wire.Native;
import org.junit.jupiter.api.Test;

/** Kernels do what they say. */
class LaunchTest extends DriverTest {
  @Test
  void addsVectors() {
    int count = 100_000;
    long bytes = 4L * count;
    long host = program().bytes(bytes);
    for (int i = 0; i < count; i++) {
      Native.putFloat(host + 4L * i, i);
    }
    long a = program().allocate(bytes);
    long b = program().allocate(bytes);
    long sum = program().allocate(bytes);
    ok(driver().cuMemcpyHtoD_v2(a, host, bytes));
    ok(driver().cuMemcpyHtoD_v2(b, host, bytes));
    long add = program().function(program().module(), "vectorAdd");
    ok(program().launch(add, (count + 255) / 256, 256, 0, 0, a, b, sum, count));
    ok(driver().cuCtxSynchronize());
    ok(driver().cuMemcpyDtoH_v2(host, sum, bytes));
    for (int i = 0; i < count; i++) {
      assertEquals(2.0f * i, Native.getFloat(host + 4L * i));
    }
  }
}
