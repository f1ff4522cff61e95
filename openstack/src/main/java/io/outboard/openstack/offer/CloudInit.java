// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.offer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * User data for cloud-init that makes a plain image of Debian a client. It names nothing of a site
 * but the package: address, communicator and token of the GPUs come from the vendor data.
 */
public final class CloudInit {
  private static final Map<String, String> MODES = Map.of("/usr/local/sbin/outboard-lease", "0755");
  private static final String DEB = "/run/outboard-client.deb";

  private final URI client;
  private final String sha256;

  /**
   * Makes it.
   *
   * @param client where the package {@code outboard-client} is
   * @param sha256 of the package, in 64 hexadecimal digits; empty where https vouches for it
   * @throws IllegalArgumentException if nobody would vouch for the package
   */
  public CloudInit(URI client, String sha256) {
    if (!sha256.isEmpty() && !sha256.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException("a SHA-256 has 64 hexadecimal digits");
    }
    if (!"https".equals(client.getScheme()) && sha256.isEmpty()) {
      throw new IllegalArgumentException(
          "machines install the package as root: name its SHA-256, or an address of https");
    }
    this.client = client;
    this.sha256 = sha256;
  }

  /** The text. */
  public String text() {
    return "#cloud-config\n"
        + "# Remote GPUs for a plain image of Debian: docs/openstack.md.\n"
        + "write_files:\n"
        + file("outboard-lease", "/usr/local/sbin/outboard-lease")
        + file("outboard-lease.service", "/etc/systemd/system/outboard-lease.service")
        + file("outboard-lease.sh", "/etc/profile.d/outboard-lease.sh")
        + "runcmd:\n"
        + commands().stream().map(CloudInit::command).collect(Collectors.joining());
  }

  /** The unit starts whatever becomes of the package, and says what it waits for. */
  private List<List<String>> commands() {
    String check =
        sha256.isEmpty() ? "" : "echo '%s  %s' | sha256sum -c && ".formatted(sha256, DEB);
    String fetch =
        "import sys, urllib.request; urllib.request.urlretrieve(sys.argv[1], sys.argv[2])";
    return List.of(
        List.of("python3", "-c", fetch, client.toString(), DEB),
        List.of("sh", "-c", check + "apt-get install -y " + DEB),
        List.of("systemctl", "daemon-reload"),
        List.of("systemctl", "enable", "--now", "--no-block", "outboard-lease.service"));
  }

  /** YAML is a superset of JSON. */
  private static String command(List<String> words) {
    return "  - " + Json.write(words) + "\n";
  }

  private static String file(String resource, String path) {
    String text = read(resource).indent(6).stripTrailing();
    return "  - path: %s\n    permissions: '%s'\n    content: |\n%s\n"
        .formatted(path, MODES.getOrDefault(path, "0644"), text);
  }

  private static String read(String resource) {
    try (InputStream in = CloudInit.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
