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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The user data of a machine that runs a service with a lease, and the disk of cloud-init's data
 * source NoCloud that has them where there is no cloud.
 *
 * @param backend where programs of the machine find the lease's GPUs
 * @param token of the lease
 * @param software that runs there
 * @param port at which the service listens
 */
public record MachineSeed(String backend, String token, MachineSoftware software, int port) {
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
    for (Map.Entry<String, String> file : software.files().entrySet()) {
      Files.copy(Path.of(file.getValue()), folder.resolve(file.getKey()));
    }
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
    List<Object> files = new ArrayList<>();
    files.add(file(HOME + "/environment", "0600", environment));
    software.written().forEach(one -> files.add(file(HOME + "/" + one.name(), "0600", one.text())));
    files.add(file("/usr/local/sbin/outboard-service-ready", "0755", read("service-ready")));
    files.add(file("/etc/systemd/system/outboard-service.service", "0644", read(software.unit())));
    return "#cloud-config\n"
        + Json.write(
            Ordered.of("locale", "C.UTF-8", "write_files", files, "runcmd", List.of(begin(bring))));
  }

  /** The steps, then for each file its name and where it is. */
  private List<String> begin(String bring) {
    String setup = read(bring) + read(software.setup());
    List<String> words = new ArrayList<>(List.of("sh", "-c", read("service-begin"), "begin"));
    words.addAll(List.of(setup, "setup"));
    software.files().forEach((name, place) -> words.add(name + "=" + place));
    return words;
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
