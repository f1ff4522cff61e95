// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Origin;
import java.io.IOException;

/** A listener under another endpoint. */
record Renamed(Endpoint endpoint, Listener below) implements Listener {
  @Override
  public int accept() throws IOException {
    return below.accept();
  }

  @Override
  public Origin origin(int descriptor) {
    return below.origin(descriptor);
  }

  @Override
  public void close() {
    below.close();
  }
}
