// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Has somebody look who waits. */
public final class Bell {
  /** In which further changes are seen by the same look. */
  private static final Duration REST = Duration.ofMillis(200);

  private final Semaphore changed = new Semaphore(0);

  /** Rings it where objects of a kind change. */
  public <T> ResourceEventHandler<T> handler() {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(T object) {
        changed.release();
      }

      @Override
      public void onUpdate(T before, T after) {
        changed.release();
      }

      @Override
      public void onDelete(T object, boolean isUnknown) {
        changed.release();
      }
    };
  }

  /** Waits for a change, or until it is time to look. */
  void await(Duration interval) throws InterruptedException {
    if (changed.tryAcquire(interval.toMillis(), TimeUnit.MILLISECONDS)) {
      Thread.sleep(REST);
      int unused = changed.drainPermits();
    }
  }
}
