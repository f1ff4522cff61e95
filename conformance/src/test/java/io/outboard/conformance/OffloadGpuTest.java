// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Form;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Offloaded code that uses a GPU: the caller's lease bounds it and is charged for it. */
final class OffloadGpuTest {
  private static final Path EXAMPLE = Home.PATH.resolve("examples/offload/src/main/java/filter");
  private static final Path FOLDER;
  private static final OffloadedJar FILTER;

  static {
    try {
      FOLDER = Folders.make("outboard-offload-gpu");
      FILTER = OffloadedJar.withGpu(EXAMPLE, FOLDER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @RegisterExtension
  static final Backend BACKEND = new Backend("software", "--offload=" + settings());

  private static Path settings() {
    try {
      return Files.writeString(
          FOLDER.resolve("offload.conf"),
          "jars jars\nmemory 512\noperator %s\ntenant alice %1$s\n".formatted(FILTER.digest()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Blurs a picture of so many pixels each way with a token. */
  private static String blur(String token, int width) throws Exception {
    Path file = Files.writeString(FOLDER.resolve("token"), token);
    Program.Ended ended =
        Program.run(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                OffloadedJar.path(OffloadedJar.CLIENT) + ":" + FILTER.file(),
                "filter.Main",
                BACKEND.tcp(),
                file.toString(),
                FILTER.file().toString(),
                Integer.toString(width)),
            Map.of());
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }

  @Test
  void aPictureIsBlurredOnTheGpu() throws Exception {
    String said = blur(BACKEND.token(), 100);
    assertTrue(said.startsWith("blurred as here, on "), said);
    assertTrue(!said.endsWith("no GPU"), said);
    assertTrue(BACKEND.log().contains("offloaded filter"), BACKEND.log());
  }

  @Test
  void theLeaseBoundsItsMemoryAndIsChargedForIt() throws Exception {
    Leases leases = new Leases(BACKEND);
    Form wanted = new Form().with("share", 500).with("memory", 2 << 20).with("tenant", "alice");
    Form lease = leases.request(wanted);
    try {
      // Two of them, of 2.25 MiB each.
      String refused = blur(lease.get("token"), 1_500);
      assertTrue(refused.startsWith("not blurred: cuMemAlloc: error 2 "), refused);
      String said = blur(lease.get("token"), 100);
      assertTrue(said.startsWith("blurred as here, on "), said);
    } finally {
      Form unused = leases.change("release", lease);
    }
    Form row = leases.usage(lease).getLast();
    assertTrue(row.number("busy", -1) > 0, row::toString);
  }
}
