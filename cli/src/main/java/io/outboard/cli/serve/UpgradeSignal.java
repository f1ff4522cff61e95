// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * SIGUSR1, which has a backend leave its programs to the next one. The Java platform has a class
 * for signals, {@code sun.misc.Signal} of the module {@code jdk.unsupported}, about which its
 * compiler warns wherever it is named.
 */
final class UpgradeSignal {
  /** Its number on Linux. */
  static final int NUMBER = 10;

  private static final String NAME = "USR1";

  private UpgradeSignal() {}

  /** Runs something when it comes, on a thread of its own. */
  static void on(Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object own =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (_, method, _) -> handle(method, action));
      Object name = signal.getConstructor(String.class).newInstance(NAME);
      signal.getMethod("handle", signal, handler).invoke(null, name, own);
    } catch (ClassNotFoundException
        | NoSuchMethodException
        | InstantiationException
        | IllegalAccessException
        | InvocationTargetException e) {
      throw new IllegalStateException("this Java runtime has no signals", e);
    }
  }

  private static Object handle(Method method, Runnable action) {
    if (method.getName().equals("handle")) {
      Thread.ofPlatform().name("upgrade").start(action);
    }
    return null;
  }
}
