// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.hosts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** The rate of a network, as iperf3 measures it with one connection. */
final class Carried {
  static final int PORT = 5201;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<String> client;
  private final FarHost host;
  private final URI endpoint;
  private final int seconds;

  /**
   * Measures for so many seconds.
   *
   * @param endpoint where {@link #PORT} of the host is reached from here
   */
  Carried(FarHost host, String endpoint, int seconds) {
    this(List.of(), host, endpoint, seconds);
  }

  /** The same from elsewhere, where commands begin so. */
  Carried(List<String> client, FarHost host, String endpoint, int seconds) {
    this.client = client;
    this.host = host;
    this.endpoint = URI.create(endpoint);
    this.seconds = seconds;
  }

  /** GB/s to the host. */
  double there() throws IOException, InterruptedException {
    return measure(List.of());
  }

  /** GB/s from it. */
  double back() throws IOException, InterruptedException {
    return measure(List.of("--reverse"));
  }

  private double measure(List<String> how) throws IOException, InterruptedException {
    List<String> server = new ArrayList<>(host.prefix());
    server.addAll(List.of("iperf3", "--server", "--one-off", "--forceflush"));
    Process serving = new ProcessBuilder(server).start();
    try {
      if (serving.inputReader().readLine() == null) {
        throw new IOException("iperf3 does not serve");
      }
      return ask(how);
    } finally {
      serving.destroy();
      serving.waitFor();
    }
  }

  private double ask(List<String> how) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(client);
    command.addAll(List.of("iperf3", "--json", "--client", endpoint.getHost()));
    command.addAll(List.of("--port", Integer.toString(endpoint.getPort())));
    command.addAll(List.of("--time", Integer.toString(seconds)));
    command.addAll(how);
    Process asking = new ProcessBuilder(command).start();
    JsonNode said = JSON.readTree(asking.getInputStream());
    if (asking.waitFor() != 0) {
      throw new IOException("iperf3: " + said.path("error").asText());
    }
    return said.at("/end/sum_received/bits_per_second").asDouble() / Byte.SIZE / 1e9;
  }
}
