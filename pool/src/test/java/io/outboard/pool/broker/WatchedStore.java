// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.lease.store.LeaseStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A store, and something that happens before each of its methods. */
public final class WatchedStore {
  /** What happens; where it throws, the method is not called. */
  @FunctionalInterface
  public interface Watch {
    void before(String method);
  }

  private WatchedStore() {}

  /** One that behaves as another one does otherwise. */
  public static LeaseStore of(LeaseStore store, Watch watch) {
    return (LeaseStore)
        Proxy.newProxyInstance(
            LeaseStore.class.getClassLoader(),
            new Class<?>[] {LeaseStore.class},
            (_, method, arguments) -> {
              watch.before(method.getName());
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
