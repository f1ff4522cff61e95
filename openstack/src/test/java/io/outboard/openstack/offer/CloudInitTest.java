// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.offer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The user data, and the program in it that a machine runs, by the machine's own Python. */
final class CloudInitTest {
  private static final String TOKEN = "0f".repeat(32);
  private static final String SCRIPT = "/usr/local/sbin/outboard-lease";
  private static final URI CLIENT = URI.create("https://broker.example/outboard-client.deb");

  private static final int MOST_REQUEST = 4096;

  @TempDir private Path folder;

  private static String text() {
    return new CloudInit(CLIENT, "").text();
  }

  /** A file as cloud-init writes it: a block of YAML without its indentation. */
  private static String file(String path) {
    String[] parts = text().split("  - path: " + path + "\n", 2);
    String block = parts[1].split("content: \\|\n", 2)[1].split("\n  - path: |\nruncmd:", 2)[0];
    return block.replaceAll("(?m)^ {6}", "") + "\n";
  }

  @Test
  void nobodyInstallsWhatNobodyVouchesFor() {
    URI plain = URI.create("http://broker.example/outboard-client.deb");
    assertThrows(IllegalArgumentException.class, () -> new CloudInit(plain, ""));
    assertThrows(IllegalArgumentException.class, () -> new CloudInit(CLIENT, "'; rm -r /"));
    String checked = new CloudInit(plain, "ab".repeat(32)).text();
    assertTrue(checked.contains("abab  /run/outboard-client.deb' | sha256sum -c && apt-get"));
    assertTrue(text().startsWith("#cloud-config\n"));
    assertFalse(text().contains("\t"));
  }

  private Process guest(Object vendordata) throws IOException {
    Path metadata = folder.resolve("vendor_data2.json");
    Files.writeString(metadata, vendordata instanceof String text ? text : Json.write(vendordata));
    return guest(metadata.toUri());
  }

  private Process guest(URI metadata) throws IOException {
    Path script = Files.writeString(folder.resolve("outboard-lease"), file(SCRIPT));
    return new ProcessBuilder(
            "python3",
            script.toString(),
            "--metadata=" + metadata,
            "--drive=" + folder.resolve("none"),
            "--environment=" + environment(),
            "--group=",
            "--once")
        .redirectErrorStream(true)
        .start();
  }

  private Path environment() {
    return folder.resolve("lease/environment");
  }

  private static Map<String, Object> told(Object endpoint, Object token) {
    return Map.of(
        "outboard",
        Ordered.of(
            "state",
            "granted",
            "reason",
            "",
            "gpus",
            2,
            "model",
            "NVIDIA H200",
            "endpoints",
            List.of(endpoint),
            "token",
            token));
  }

  private static void wantPython() throws IOException, InterruptedException {
    boolean here;
    try {
      here = new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      here = false;
    }
    assumeTrue(here, "no python3");
  }

  @Test
  void aMachineFindsItsGpus() throws Exception {
    wantPython();
    Process guest = guest(told("tcp://gpu-node:14900", TOKEN));
    String said = new String(guest.getInputStream().readAllBytes(), UTF_8);
    assertTrue(guest.waitFor(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
    assertEquals(0, guest.exitValue(), said);
    assertEquals(
        "OUTBOARD=tcp://gpu-node:14900\nOUTBOARD_TOKEN=" + TOKEN + "\n",
        Files.readString(environment()));
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(environment())));
  }

  /** A text that could be a command to the shell that reads the file is no lease. */
  @Test
  void aMachineWaitsWhereItHasNone() throws Exception {
    wantPython();
    for (Object vendordata :
        List.of(
            Map.of("static", Map.of()),
            Map.of("outboard", Map.of("state", "requested", "reason", "GPUs are in use")),
            told("tcp://x:1; reboot", TOKEN),
            told("tcp://x:1\nA=b", TOKEN),
            told("tcp://x:1", "$(reboot)"),
            told(7, TOKEN),
            "[]",
            "not JSON")) {
      Process guest = guest(vendordata);
      try {
        String line = guest.inputReader().readLine();
        assertTrue(line.startsWith("waits for remote GPUs: "), line + " of " + vendordata);
        assertFalse(Files.exists(environment()), vendordata.toString());
      } finally {
        guest.destroyForcibly().waitFor();
      }
    }
  }

  /** Where there is no metadata service, something else may answer at its address. */
  @Test
  void aMachineWaitsWhereSomethingElseAnswers() throws Exception {
    wantPython();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Process guest = guest(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/"));
      try (Socket asked = server.accept()) {
        assertTrue(asked.getInputStream().read(new byte[MOST_REQUEST]) > 0);
        asked.getOutputStream().write("220 ready\r\n".getBytes(UTF_8));
        asked.shutdownOutput();
        String line = guest.inputReader().readLine();
        assertTrue(line.startsWith("waits for remote GPUs: "), line);
      } finally {
        guest.destroyForcibly().waitFor();
      }
    }
  }
}
