// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import io.outboard.backend.system.Pause;
import io.outboard.wire.Native;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A driver for warm-ups, which does nothing, but sometimes waits; the objects that it creates have
 * made-up values.
 */
public abstract class NoOpDriver {
  private static final long FIRST_VALUE = 0x1000;
  private static final int WAITS_TO_A_LONG_ONE = 256;
  private static final long LONG_WAIT_MS = 4;

  /** Proxies of other interfaces are of other classes. */
  private interface First {}

  private interface Second {}

  private interface Third {}

  private static final List<Class<?>> KINDS = List.of(First.class, Second.class, Third.class);

  /** The action of a driver's call. */
  public interface Answers {
    int answer(String call, Object[] arguments);
  }

  private int waits;
  private final AtomicLong value = new AtomicLong(FIRST_VALUE);

  /**
   * One of a class of several. The dispatcher calls a driver itself where no decorator is concerned
   * ({@link io.outboard.wire.Overrides}), and what the compiler makes of that call must fit the
   * driver that comes with the client.
   */
  public static <D> D create(Class<D> library, int number, Answers answers) {
    Class<?>[] types = {library, KINDS.get(number % KINDS.size())};
    return library.cast(
        Proxy.newProxyInstance(
            NoOpDriver.class.getClassLoader(),
            types,
            (self, method, arguments) -> answers.answer(method.getName(), arguments)));
  }

  /** Writes a new value to a place. */
  public final void create(long place) {
    Native.putLong(place, value.incrementAndGet());
  }

  public final void await() {
    if (++waits % WAITS_TO_A_LONG_ONE == 0) {
      Pause.ms(LONG_WAIT_MS);
    }
  }
}
