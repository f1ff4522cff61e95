// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.communicator.Endpoint;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.DeviceFacts;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Asks a backend what code its CUDA devices run. */
final class CodeTargets {
  // CUdevice_attribute of the CUDA driver API.
  private static final int COMPUTE_CAPABILITY_MAJOR = 75;
  private static final int COMPUTE_CAPABILITY_MINOR = 76;

  private CodeTargets() {}

  /**
   * Asks; a device of a backend that does not tell what code it takes is left out, and none are
   * told of a backend that does not serve CUDA.
   *
   * @throws IOException if the backend cannot be used; the message says why
   */
  static List<CodeTarget> of(Endpoint endpoint) throws IOException {
    try (Session session = Session.open(endpoint, List.of(ClientLibrary.CUDA), System.getenv());
        Arena arena = Arena.ofConfined()) {
      CudaDriver driver = new CudaDriverRemote(session);
      MemorySegment facts = arena.allocate(DeviceFacts.BYTES, Long.BYTES);
      List<CodeTarget> targets = new ArrayList<>();
      int count = 1;
      for (int device = 0; device < count; device++) {
        if (driver.outboardDeviceFacts(facts.address(), device) != CudaResult.SUCCESS) {
          return targets;
        }
        count = facts.get(ValueLayout.JAVA_INT, DeviceFacts.DEVICES);
        add(targets, facts);
      }
      return targets;
    }
  }

  private static void add(List<CodeTarget> targets, MemorySegment facts) {
    String name = facts.getString(0);
    int architecture =
        10 * attribute(facts, COMPUTE_CAPABILITY_MAJOR)
            + attribute(facts, COMPUTE_CAPABILITY_MINOR);
    switch (attribute(facts, DeviceFacts.IMAGES)) {
      case DeviceFacts.TEXTS -> targets.add(CodeTarget.ofTexts(name, architecture));
      case DeviceFacts.BINARIES ->
          targets.add(
              CodeTarget.real(
                  name, architecture, facts.get(ValueLayout.JAVA_INT, DeviceFacts.DRIVER_VERSION)));
      default -> {
        // An older backend.
      }
    }
  }

  private static int attribute(MemorySegment facts, int attribute) {
    return facts.get(ValueLayout.JAVA_INT, DeviceFacts.ATTRIBUTE_VALUES + 4L * attribute);
  }
}
