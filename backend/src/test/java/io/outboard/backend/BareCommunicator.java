// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Distance;

/** {@code bare:PATH}: the same socket of a communicator that can nothing beside carrying bytes. */
public final class BareCommunicator extends FakeCommunicator {
  @Override
  public String scheme() {
    return "bare";
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(Distance.HYPERVISOR);
  }
}
