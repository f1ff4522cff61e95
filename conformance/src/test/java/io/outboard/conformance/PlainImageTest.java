// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A plain image of Debian is a machine with remote GPUs by its user data alone. The same image and
 * user data are so at two sites: the GPUs of one are reached by TCP, those of the other through a
 * port of the hypervisor.
 */
@Lengthy
final class PlainImageTest {
  // The host as QEMU's user-mode network shows it to the guest.
  private static final String HOST = "10.0.2.2";
  private static final String PACKAGE = "/outboard-client.deb";
  private static final String CUDA = "/vectorAdd";
  private static final String OPENCL = "/openclVectorAdd";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path home;
  private HttpServer files;
  private String userData;
  private Process office;

  @BeforeEach
  void begin() throws Exception {
    assumeTrue(PlainImage.isHere(), PlainImage::absent);
    byte[] client = Files.readAllBytes(Tarballs.clientPackage(home.resolve("packages")));
    files = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve(PACKAGE, client);
    serve(CUDA, Files.readAllBytes(Home.VECTOR_ADD));
    serve(OPENCL, Files.readAllBytes(Home.EXAMPLES.resolve("opencl/vectorAdd")));
    files.start();
    userData = userData(client);
  }

  private void serve(String path, byte[] file) {
    files.createContext(
        path,
        exchange -> {
          exchange.sendResponseHeaders(200, file.length);
          exchange.getResponseBody().write(file);
          exchange.close();
        });
  }

  /** As it is printed; behind it is what the user does. */
  private String userData(byte[] client) throws Exception {
    String at = "http://%s:%d".formatted(HOST, files.getAddress().getPort());
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(client));
    Program.Ended printed =
        new Launcher(home)
            .run("openstack", "cloud-init", "--client=" + at + PACKAGE, "--sha256=" + sha256);
    assertEquals(0, printed.status(), printed::toString);
    // Nothing in /run can be executed.
    String programs =
        """
        systemctl start outboard-lease.service
        set -a; . /run/outboard-lease/environment
        for program in %s %s; do
          file=/usr/local/bin$program
          python3 -c 'import sys, urllib.request as u; u.urlretrieve(*sys.argv[1:])' %s$program $file
          chmod 755 $file
          outboard-run --no-check -- $file >/dev/ttyS0 2>&1
        done
        """
            .formatted(CUDA, OPENCL, at);
    return printed.output()
        + "  - "
        + JSON.writeValueAsString(List.of("sh", "-c", programs))
        + "\n";
  }

  @AfterEach
  void end() throws Exception {
    if (files != null) {
      files.stop(0);
    }
    if (office != null) {
      office.destroy();
      office.waitFor();
    }
  }

  @Test
  void itIsOneOverTcp() throws Exception {
    Launcher outboard = new Launcher(Files.createDirectory(home.resolve("tcp")));
    // OpenCL on the host's processor is there beside the GPU.
    String port = office(outboard, "auto", "tcp://127.0.0.1:0").replaceAll(".*:", "");
    String endpoint = "tcp://%s:%s".formatted(HOST, port);
    assertWorks("tcp", outboard, endpoint, "Outboard Software GPU", List.of(), "sums: passed");
  }

  @Test
  void andOverAPortOfTheHypervisor() throws Exception {
    Launcher outboard = new Launcher(Files.createDirectory(home.resolve("virtio")));
    Path socket = home.resolve("port.sock");
    String unused = office(outboard, "software:a100", "virtio:" + socket);
    List<String> port =
        List.of(
            "-device",
            "virtio-serial-pci",
            "-chardev",
            "socket,id=outboard,server=on,wait=off,path=" + socket,
            "-device",
            "virtserialport,chardev=outboard,name=outboard.0");
    String model = "NVIDIA A100-SXM4-80GB (software)";
    assertWorks("virtio", outboard, "virtio:outboard.0", model, port, "no OpenCL");
  }

  /** Starts the pool of a site; returns where it is. */
  private String office(Launcher outboard, String device, String listen) throws IOException {
    office =
        outboard.start(
            "serve",
            "--device=" + device,
            "--require-lease",
            "--workers=1",
            "--listen=" + listen,
            "--state=" + home.resolve("state"));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(office.getInputStream(), StandardCharsets.UTF_8));
    String serving = outboard.awaitLine(lines, "serving ");
    return serving.substring(serving.indexOf(" at ") + 4);
  }

  private void assertWorks(
      String site,
      Launcher outboard,
      String endpoint,
      String model,
      List<String> more,
      String openCl)
      throws Exception {
    Path folder = Files.createDirectories(home.resolve("machine-" + site));
    Instant begun = Instant.now();
    try (PlainImage machine =
        PlainImage.boot(folder, userData, vendorData(outboard, endpoint, model), more)) {
      machine.awaitSaid("vectorAdd: PASSED on " + model);
      System.out.printf(
          "%s: boot to first kernel %d s%n",
          site, Duration.between(begun, Instant.now()).toSeconds());
      machine.awaitSaid(openCl);
      assertTrue(!machine.said().contains("Kernel panic"), machine::toString);
    }
  }

  /** The adapter's answer to Nova. */
  private static String vendorData(Launcher outboard, String endpoint, String model)
      throws Exception {
    String lease = says(outboard, "lease", "--detach", "--for=2h");
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("lease", lease);
    told.put("state", "granted");
    told.put("gpus", 1);
    told.put("model", model);
    told.put("endpoints", List.of(endpoint));
    told.put("token", says(outboard, "leases", "--token", lease));
    return JSON.writeValueAsString(Map.of("static", Map.of(), "outboard", told));
  }

  private static String says(Launcher outboard, String... words) throws Exception {
    Program.Ended ended = outboard.run(words);
    assertEquals(0, ended.status(), ended::toString);
    return ended.output().strip();
  }
}
