// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.machine;

import java.util.List;
import java.util.Map;

/**
 * The software that a machine of a lease runs. Files are of this machine, or of https for a cloud.
 */
public sealed interface MachineSoftware {
  /** The files that the machine has, by the names that they have there. */
  Map<String, String> files();

  /** The files that the user data have. */
  List<Written> written();

  /** The name of the resource with the steps of the shell that install it. */
  String setup();

  /** The name of the resource with its unit of systemd's. */
  String unit();

  /**
   * A small file of the machine's, which root alone reads.
   *
   * @param name in the folder of the service
   */
  record Written(String name, String text) {}

  /**
   * A service of any kind, whose programs use the lease's GPUs.
   *
   * @param client the package outboard-client, of Debian
   * @param service a jar that Java runs
   */
  record Program(String client, String service) implements MachineSoftware {
    @Override
    public Map<String, String> files() {
      return Map.of("client.deb", client, "service.jar", service);
    }

    @Override
    public List<Written> written() {
      return List.of();
    }

    @Override
    public String setup() {
      return "service-setup";
    }

    @Override
    public String unit() {
      return "outboard-service.service";
    }
  }

  /**
   * Methods of clients: a backend that has a Java of its own, whatever the machine has.
   *
   * @param server the server's tarball
   * @param settings the text of the file that {@code serve --offload} reads
   */
  record Methods(String server, String settings) implements MachineSoftware {
    // The machine has a software GPU before that of the lease.
    private static final String GPU = "gpu 1\n";

    @Override
    public Map<String, String> files() {
      return Map.of("server.tgz", server);
    }

    @Override
    public List<Written> written() {
      return List.of(new Written("offload.conf", settings + "\n" + GPU));
    }

    @Override
    public String setup() {
      return "methods-setup";
    }

    @Override
    public String unit() {
      return "methods.service";
    }
  }
}
