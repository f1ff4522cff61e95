// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.client.find.Backends;
import io.outboard.communicator.posix.Processes;
import java.nio.file.Path;

/** Where a service keeps what is to stay. */
final class StateFolder {
  private StateFolder() {}

  /** The one that is named, else the usual one; {@code named} may be null. */
  static Path of(Path named) {
    if (named != null) {
      return named.toAbsolutePath();
    }
    Backends backends = new Backends();
    boolean service = backends.runtimeSocket().isEmpty() && Processes.getuid() == 0;
    return service ? Path.of("/var/lib/outboard") : backends.stateFolder();
  }
}
