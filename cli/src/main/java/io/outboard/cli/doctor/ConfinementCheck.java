// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import io.outboard.backend.confine.Confinement;
import io.outboard.backend.confine.NativeCode;
import io.outboard.cli.command.Tools;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tries whether a backend of this user could confine workers that run native code of a client. */
final class ConfinementCheck {
  private ConfinementCheck() {}

  static Finding ofThisMachine() {
    Confinement tried =
        Confinement.tried(Tools.folder(), Optional.empty(), List.of(), Map.of(), List.of());
    String text = new NativeCode(Set.of("opencl"), tried).text();
    return tried.isAvailable() ? Finding.good(text) : Finding.doubtful(text);
  }
}
