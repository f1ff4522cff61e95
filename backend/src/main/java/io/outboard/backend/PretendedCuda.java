// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A driver that says yes to nearly everything and does nothing, but sometimes waits; what it
 * creates has made-up values.
 */
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

  private static final int WAITS_TO_A_LONG_ONE = 256;
  private static final long LONG_WAIT_MS = 4;

  /** Proxies of other interfaces are of other classes. */
  private interface First {}

  private interface Second {}

  private interface Third {}

  private static final List<Class<?>> KINDS = List.of(First.class, Second.class, Third.class);

  private int waits;
  private final AtomicLong value = new AtomicLong(FIRST_VALUE);

  private PretendedCuda() {}

  /**
   * One of a class of several. The dispatcher calls a driver itself where no decorator is concerned
   * ({@link io.outboard.wire.Overrides}), and what the compiler makes of that call must fit the
   * driver that comes with the client.
   */
  static CudaDriver driver(int number) {
    PretendedCuda pretended = new PretendedCuda();
    return (CudaDriver)
        Proxy.newProxyInstance(
            PretendedCuda.class.getClassLoader(),
            new Class<?>[] {CudaDriver.class, KINDS.get(number % KINDS.size())},
            (self, method, arguments) -> pretended.answer(method, arguments));
  }

  private int answer(Method method, Object[] arguments) {
    if (method.getName().equals("cuStreamIsCapturing")) {
      Native.putInt((long) arguments[1], 0);
    }
    if (method.getName().equals("cuStreamSynchronize") && ++waits % WAITS_TO_A_LONG_ONE == 0) {
      Worker.pause(LONG_WAIT_MS);
    }
    if (!CREATING.contains(method.getName())) {
      return CudaResult.SUCCESS;
    }
    long place = (long) arguments[0];
    if (place == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(place, value.incrementAndGet());
    return CudaResult.SUCCESS;
  }
}
