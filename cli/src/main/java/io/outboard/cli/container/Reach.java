// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Tools;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.tls.TlsClient;
import java.net.MalformedURLException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a container reaches a backend: what of this machine it has to see, and which variables its
 * programs want. A Unix socket is mounted alone, not its folder, which has the backend's own files.
 *
 * @param mounts places in the container, by those of this machine
 * @param variables names and values
 */
record Reach(SortedMap<Path, String> mounts, SortedMap<String, String> variables) {
  private static final String HOME = "/opt/outboard/";
  private static final String RUN = "/run/outboard/";
  private static final String SOCKET = RUN + "outboard.sock";
  private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

  /** Variables by which programs load the client where nothing starts them, as words. */
  static final List<String> LOADING =
      List.of(
          "LD_LIBRARY_PATH=" + HOME + "lib:" + HOME + "lib/opencl",
          "OCL_ICD_VENDORS=" + HOME + "lib/opencl/vendors",
          "OPENCL_VENDOR_PATH=" + HOME + "lib/opencl/vendors");

  /** The program of the client that starts the container's own one. */
  static final String STARTER = HOME + "bin/outboard-run";

  /**
   * Finds it.
   *
   * @param hasHostsNetwork whether the container has no network of its own
   * @throws Failure if no container reaches such an endpoint
   */
  static Reach of(Endpoint endpoint, Map<String, String> environment, boolean hasHostsNetwork)
      throws Failure {
    Reach reach = new Reach(new TreeMap<>(), new TreeMap<>());
    reach.mounts.put(Tools.libraries(), HOME + "lib");
    reach.mounts.put(Tools.folder(), HOME + "bin");
    try {
      reach.add(endpoint, environment, hasHostsNetwork);
    } catch (MalformedURLException e) {
      throw new Failure(e);
    }
    return reach;
  }

  private void add(Endpoint endpoint, Map<String, String> environment, boolean hasHostsNetwork)
      throws Failure, MalformedURLException {
    switch (endpoint.scheme()) {
      case Endpoint.UNIX -> {
        mounts.put(Path.of(endpoint.requirePath()).toAbsolutePath(), SOCKET);
        variables.put("OUTBOARD", "unix:" + SOCKET);
      }
      case "tcp", "tls" -> {
        if (!hasHostsNetwork && HERE.contains(endpoint.requireHost())) {
          throw new Failure(
              ("%s is this machine's own, and a container has a network of its own: give it this"
                      + " machine's, or say --on unix:PATH")
                  .formatted(endpoint));
        }
        variables.put("OUTBOARD", endpoint.toString());
        addCertificates(environment);
      }
      default ->
          throw new Failure(
              "no container reaches %s: a backend at unix:, tcp:// or tls:// can be"
                  .formatted(endpoint));
    }
  }

  private void addCertificates(Map<String, String> environment) {
    for (String name : List.of(TlsClient.CA, TlsClient.CERT, TlsClient.KEY)) {
      String file = environment.getOrDefault(name, "");
      if (!file.isEmpty()) {
        String there = RUN + name + ".pem";
        mounts.put(Path.of(file).toAbsolutePath(), there);
        variables.put(name, there);
      }
    }
  }
}
