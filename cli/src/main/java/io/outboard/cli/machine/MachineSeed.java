// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The user data of a machine that runs a service with a lease, and the disk of cloud-init's data
 * source NoCloud that has them where there is no cloud.
 *
 * @param backend where programs of the machine find the lease's GPUs
 * @param token of the lease
 * @param client the package outboard-client, of Debian: a file, or for a cloud an address of https
 * @param service a jar that is run, in the same way
 * @param port at which the service listens
 */
public record MachineSeed(String backend, String token, String client, String service, int port) {
  private static final String HOME = "/var/lib/outboard-service";

  /** The label by which cloud-init finds the disk. */
  static final String LABEL = "CIDATA";

  /**
   * Writes the disk, with both files.
   *
   * @param name of the machine
   */
  void write(Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve("meta-data"),
        Json.write(Ordered.of("instance-id", name, "local-hostname", name)));
    Files.writeString(folder.resolve("user-data"), userData("service-from-disk"));
    Files.copy(Path.of(client), folder.resolve("client.deb"));
    Files.copy(Path.of(service), folder.resolve("service.jar"));
  }

  /** The user data for a cloud, whose machine fetches both. */
  public String ofCloud() {
    return userData("service-from-web");
  }

  /** YAML is a superset of JSON. */
  private String userData(String bring) {
    String environment =
        "OUTBOARD=%s\nOUTBOARD_TOKEN=%s\nOUTBOARD_SERVICE_PORT=%d\n"
            .formatted(backend, token, port);
    String setup = read(bring) + read("service-setup");
    return "#cloud-config\n"
        + Json.write(
            Ordered.of(
                "locale",
                "C.UTF-8",
                "write_files",
                List.of(
                    file(HOME + "/environment", "0600", environment),
                    file("/usr/local/sbin/outboard-service-ready", "0755", read("service-ready")),
                    file(
                        "/etc/systemd/system/outboard-service.service",
                        "0644",
                        read("outboard-service.service"))),
                "runcmd",
                List.of(
                    List.of("sh", "-c", read("service-begin"), "begin", setup, client, service))));
  }

  private static Map<String, Object> file(String path, String mode, String text) {
    return Ordered.of("path", path, "permissions", mode, "content", text);
  }

  private static String read(String resource) {
    try (InputStream in = MachineSeed.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
