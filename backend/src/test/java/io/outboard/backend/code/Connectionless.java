// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.offload.call.Caller;
import io.outboard.offload.call.Choice;
import io.outboard.offload.call.Offloader;
import io.outboard.offload.value.ValueWriter;

/** A caller of tests without a connection: each call runs away from here. */
abstract class Connectionless implements Offloader, Caller {
  static final int MOST = 1 << 20;

  @Override
  public final Caller caller(String name, String digest) {
    return this;
  }

  @Override
  public final Choice choice() {
    return (_, _) -> true;
  }

  @Override
  public final ValueWriter arguments() {
    return new ValueWriter(0, MOST);
  }
}
