// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import java.lang.reflect.Proxy;
import java.util.List;

/** Drivers for rehearsals, of several classes. */
final class PretendedDrivers {
  /** Proxies of other interfaces are of other classes. */
  private interface First {}

  private interface Second {}

  private interface Third {}

  private static final List<Class<?>> KINDS = List.of(First.class, Second.class, Third.class);

  /** What a driver does when it is called. */
  interface Answers {
    int answer(String call, Object[] arguments);
  }

  private PretendedDrivers() {}

  /**
   * One of a class of several. The dispatcher calls a driver itself where no decorator is concerned
   * ({@link io.outboard.wire.Overrides}), and what the compiler makes of that call must fit the
   * driver that comes with the client.
   */
  static <D> D create(Class<D> library, int number, Answers answers) {
    Class<?>[] types = {library, KINDS.get(number % KINDS.size())};
    return library.cast(
        Proxy.newProxyInstance(
            PretendedDrivers.class.getClassLoader(),
            types,
            (self, method, arguments) -> answers.answer(method.getName(), arguments)));
  }
}
