// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where kernels can reach all memory of their worker, and where they cannot. */
final class HostMemoryTest {
  private static final String PROGRAM = Home.PROGRAMS.resolve("hostMemory").toString();
  private static final String CANNOT = "a kernel cannot read it: error 700";
  private static final String PAGEABLE = "CUDA_STAND_IN_PAGEABLE";

  @TempDir private Path home;
  private Launcher outboard;
  private Process backend;
  private BufferedReader lines;

  @BeforeEach
  void makeHome() throws IOException {
    outboard = new Launcher(home);
  }

  @AfterEach
  void end() throws InterruptedException {
    if (backend != null) {
      backend.destroy();
      backend.waitFor();
    }
  }

  /** The vendor's driver is the one that stands in for it. */
  private void standIn() {
    outboard.set("LD_LIBRARY_PATH", Home.PROGRAMS.resolve("driver").toString());
  }

  private void serve(String... arguments) throws IOException {
    backend = outboard.start(arguments);
    lines = new BufferedReader(new InputStreamReader(backend.getInputStream(), UTF_8));
  }

  @Test
  void aSoftwareGpusKernelReadsNoMemoryOfTheHost() throws Exception {
    serve("serve", "--device=software", "--strict-isolation");
    assertTrue(lines.readLine().startsWith("serving "), outboard.errors());
    Program.Ended own = outboard.run("run", "--", PROGRAM, "own");
    assertTrue(own.output().endsWith(CANNOT + "\n"), own::toString);
    // Of the worker, as far as somebody who is not root can know: what is linked at no address.
    Program.Ended given =
        outboard.shell("echo 2aaaaaaab000 | outboard run -- '%s' given".formatted(PROGRAM));
    assertTrue(given.output().endsWith(CANNOT + "\n"), given::toString);
  }

  @Test
  void aDriverThatMapsPageableMemoryIsRefusedWhereThatIsAskedFor() throws Exception {
    standIn();
    outboard.set(PAGEABLE, "1");
    Program.Ended refused = outboard.run("serve", "--device=nvidia", "--strict-isolation");
    assertEquals(1, refused.status(), refused::toString);
    assertTrue(refused.errors().contains("--strict-isolation: "), refused::toString);
    assertTrue(refused.errors().contains("uvm_disable_hmm=1"), refused::toString);
  }

  @Test
  void itIsToldAndServedElse() throws Exception {
    standIn();
    outboard.set(PAGEABLE, "1");
    assertTrue(
        outboard.run("doctor", "--host").output().contains("note  GPU 0: a kernel can read"));
    String answer = readiness("serve", "--device=nvidia", "--api=http://127.0.0.1:0");
    assertTrue(answer.contains("\"isolation\""), answer);
    assertTrue(answer.contains("a kernel can read and write all memory"), answer);
  }

  @Test
  void aDriverThatDoesNotIsServedStrictly() throws Exception {
    standIn();
    assertTrue(outboard.run("doctor", "--host").output().contains("ok    GPU 0: kernels reach no"));
    assertEquals(
        "{\"status\":\"ok\",\"audit\":\"ok\"}",
        readiness("serve", "--device=nvidia", "--strict-isolation", "--api=http://127.0.0.1:0")
            .replaceAll("\\s", ""));
  }

  private String readiness(String... arguments) throws Exception {
    serve(arguments);
    String api = outboard.awaitLine(lines, "api at ");
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create(api + "/readyz");
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      assertEquals(200, answer.statusCode(), answer::body);
      return answer.body();
    }
  }
}
