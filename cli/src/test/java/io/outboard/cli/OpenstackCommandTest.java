// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code outboard openstack}, with a lease office that has one GPU. */
final class OpenstackCommandTest {
  private static final String DEVICES =
      """
      {"devices": [{"model": "NVIDIA H200", "arch": "hopper", "memory": 150323855360,
                    "profile": "", "failed": "", "cordoned": "", "leases": 0, "common": 0}]}\
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter errors = new StringWriter();
  private HttpServer office;

  @BeforeEach
  void begin() throws IOException {
    office = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    office.createContext("/v1/devices", OpenstackCommandTest::devices);
    office.start();
  }

  private static void devices(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean known =
          "Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization"));
      byte[] answer = (known ? DEVICES : "{}").getBytes(UTF_8);
      exchange.sendResponseHeaders(known ? 200 : 401, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  @AfterEach
  void end() {
    office.stop(0);
  }

  private int execute(String... arguments) {
    CommandLine command = Outboard.commandLine();
    command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(errors, true));
    return Outboard.execute(command, arguments);
  }

  /** The settings of a service, with the token in a file of such a mode. */
  private String config(String token, String mode) throws IOException {
    Path secret = Files.writeString(folder.resolve("token"), token + "\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString(mode));
    String api = "http://127.0.0.1:" + office.getAddress().getPort();
    String lines = "api = %s\napi-token-file = %s\n".formatted(api, secret);
    return Files.writeString(folder.resolve("openstack.conf"), lines).toString();
  }

  private int flavor(String config, String... options) {
    String[] words = {"openstack", "--config", config, "flavor", "cg1.xlarge", "--model", "h200"};
    return execute(
        Stream.concat(Arrays.stream(words), Arrays.stream(options)).toArray(String[]::new));
  }

  @Test
  void aFlavorIsPrinted() throws IOException {
    assertEquals(0, flavor(config("secret", "rw-------")), errors::toString);
    assertTrue(out.toString().contains("--property resources:CUSTOM_REMOTE_GPU=1 "), out::toString);
    assertTrue(out.toString().contains("--property trait:CUSTOM_GPU_H200=required "));
  }

  @Test
  void whatIsMoreThanThePoolHasIsRefused() throws IOException {
    assertEquals(1, flavor(config("secret", "rw-------"), "--gpus", "2"));
    assertTrue(errors.toString().contains("cannot have 2 GPUs of the pool's 1"), errors::toString);
  }

  @Test
  void aTokenThatOthersCanReadIsRefused() throws IOException {
    assertEquals(1, flavor(config("secret", "rw-r--r--")));
    assertTrue(errors.toString().contains("chmod 600"), errors::toString);
  }

  @Test
  void aTokenThatTheOfficeDoesNotKnowIsSaid() throws IOException {
    assertEquals(1, flavor(config("another", "rw-------")));
    assertTrue(errors.toString().contains("401"), errors::toString);
    assertTrue(!errors.toString().contains("another"), errors::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "openstack|serve, flavor, cloud-init, stale, glue or explain?",
        "openstack cloud-init --client http://x/y.deb|name its SHA-256",
        "openstack glue --vo vo=http://x|is no id of a project",
        "openstack serve --listen ftp://x|--listen: 'ftp://x' is not",
      })
  void wrongUsageIsTold(String line, String told) {
    assertEquals(2, execute(line.split(" ", -1)), errors::toString);
    assertTrue(errors.toString().contains(told), errors::toString);
  }

  @Test
  void anInterfaceThatWouldSendTheTokenInTheOpenIsNotAsked() throws IOException {
    String config = config("secret", "rw-------");
    Files.writeString(
        Path.of(config),
        Files.readString(Path.of(config)).replaceFirst("127.0.0.1:\\d+", "192.0.2.1:80"));
    assertEquals(1, flavor(config));
    assertTrue(errors.toString().contains("without encryption"), errors::toString);
  }
}
