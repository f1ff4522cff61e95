// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import io.outboard.wire.Dispatcher;

/** A dispatcher that issues the calls of another one in its own way. */
public abstract class DispatcherForwarding implements Dispatcher {
  /** The other one. */
  protected final Dispatcher delegate;

  /** Makes one that adds to {@code delegate}. */
  protected DispatcherForwarding(Dispatcher delegate) {
    this.delegate = delegate;
  }

  @Override
  public int answering(int number) {
    return delegate.answering(number);
  }

  @Override
  public int level() {
    return delegate.level();
  }

  @Override
  public String name(int number) {
    return delegate.name(number);
  }

  @Override
  public boolean lasts(int result) {
    return delegate.lasts(result);
  }

  @Override
  public boolean takesOfDevices() {
    return delegate.takesOfDevices();
  }

  @Override
  public int notSupported() {
    return delegate.notSupported();
  }

  @Override
  public int outOfMemory() {
    return delegate.outOfMemory();
  }
}
