// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.daemon.Daemon;
import io.outboard.backend.library.Allotment;
import io.outboard.backend.slices.MpsControlTest;
import io.outboard.backend.supervision.Admission;
import io.outboard.backend.supervision.Admitted;
import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.Peer;
import io.outboard.wire.Hello;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that are clients of MPS, with a library in the driver's place. */
class MpsWorkersTest {
  /** Writes down what a driver reads, and finds no device. */
  private static final String DRIVER =
      """
      #include <stdio.h>
      #include <stdlib.h>
      int cuInit(unsigned flags) {
        FILE *found = fopen(getenv("FOUND"), "w");
        fprintf(found, "%s %s\\n", getenv("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"), getenv("CUDA_MPS_PIPE_DIRECTORY"));
        fclose(found);
        return 100;
      }
      """;

  private static final int PERCENT = 25;

  @TempDir private Path folder;

  /** A backend whose sessions get a quarter. */
  static final class Quarter implements Admission {
    public static void main(String[] arguments) throws Exception {
      try (Daemon daemon =
          Daemon.builder()
              .listen(Endpoint.unix(arguments[0]))
              .devices("nvidia")
              .mps(true)
              .workerVariables(List.of("CALLS", "FOUND"))
              .admission(new Quarter())
              .start()) {
        System.out.println("serving");
        daemon.await();
      }
    }

    @Override
    public Admitted admit(Hello client, Peer.Principal who) {
      List<Allotment.Gpu> gpus = List.of(new Allotment.Gpu(0, "GPU-0"));
      Allotment allotment = new Allotment(gpus, Allotment.NONE, 0, Allotment.NONE, PERCENT);
      return new Admitted() {
        @Override
        public Allotment allotment() {
          return allotment;
        }
      };
    }
  }

  @Test
  void theDriverFindsTheControlDaemonAndTheShare() throws Exception {
    MpsControlTest.install(folder);
    StandIn standIn = new StandIn(folder);
    standIn.library("libcuda.so.1", DRIVER);
    Path socket = folder.resolve("backend.sock");
    ProcessBuilder builder = standIn.process(Quarter.class);
    builder.command().add(socket.toString());
    builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
    builder.environment().put("CALLS", standIn.file("calls"));
    builder.environment().put("FOUND", standIn.file("found"));
    Process backend = builder.start();
    try {
      assertEquals("serving", backend.inputReader().readLine());
      Endpoint endpoint = Endpoint.unix(socket.toString());
      assertThrows(
          IOException.class, () -> Session.open(endpoint, List.of(ClientLibrary.CUDA)).close());
      String found = Files.readString(folder.resolve("found"));
      assertTrue(found.startsWith(PERCENT + " " + folder.resolve("outboard-mps-")), found);
    } finally {
      backend.destroy();
      backend.waitFor();
    }
    assertEquals(2, Files.readAllLines(folder.resolve("calls")).size(), "it was told to quit");
  }
}
