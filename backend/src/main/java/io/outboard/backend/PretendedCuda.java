// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.wire.Native;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** A driver that says yes to everything and does nothing; what it creates has made-up values. */
final class PretendedCuda {
  private static final long FIRST_VALUE = 0x1000;

  /** Those of the rehearsal that write a handle's value, or an address, to their first argument. */
  private static final Set<String> CREATING =
      Set.of(
          "cuDevicePrimaryCtxRetain",
          "cuModuleLoadData",
          "cuModuleGetFunction",
          "cuStreamCreate",
          "cuEventCreate",
          "cuMemAlloc_v2");

  private final AtomicLong value = new AtomicLong(FIRST_VALUE);

  private PretendedCuda() {}

  /** Not the proxy itself: whoever calls it has seen a driver of another class too. */
  static CudaDriver driver() {
    PretendedCuda pretended = new PretendedCuda();
    CudaDriver proxy =
        (CudaDriver)
            Proxy.newProxyInstance(
                CudaDriver.class.getClassLoader(),
                new Class<?>[] {CudaDriver.class},
                (self, method, arguments) -> pretended.succeed(method, arguments));
    return new CudaDriverForwarding(proxy) {};
  }

  private Object succeed(Method method, Object[] arguments) {
    if (CREATING.contains(method.getName())) {
      Native.putLong((long) arguments[0], value.incrementAndGet());
    }
    return 0;
  }
}
