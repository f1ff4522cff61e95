// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.api.ApiAddress;
import io.outboard.api.ApiServer;
import io.outboard.api.monitoring.Node;
import io.outboard.api.telemetry.Collector;
import io.outboard.identity.IdentityFile;
import io.outboard.identity.ProviderIdentities;
import io.outboard.identity.ProviderSignIns;
import io.outboard.plugin.Build;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The HTTP interface that {@code serve} offers. */
final class ApiOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--api",
      paramLabel = "URL",
      description = {
        "Serves the HTTP interface there: https://HOST:PORT, or http://127.0.0.1:PORT for this",
        "machine alone. 'outboard token' makes its tokens; /openapi.json is its document, and",
        "/console/ its console for browsers.",
        "https is with the certificate of --tls-cert."
      })
  private String address;

  @Option(
      names = "--api-clients",
      paramLabel = "FILE",
      description = {
        "Lets in only clients that have a certificate, too: of one of the authorities in FILE, PEM."
      })
  private Path clients;

  @Option(
      names = "--api-rate",
      paramLabel = "N",
      defaultValue = "50",
      description = {
        "Requests a second that each token and each address may make; twice as many in a burst.",
        "Default: ${DEFAULT-VALUE}"
      })
  private int rate;

  @Option(
      names = "--identity",
      paramLabel = "FILE",
      description = {
        "Lets in people with tokens of the OpenID providers in FILE, too, as its rules say",
        "(docs/identity.md). 'outboard identity explain' says what they give."
      })
  private Path identity;

  @Option(
      names = "--api-host",
      paramLabel = "NAME",
      description = {
        "Serves the console under that name too, as of a proxy before it; several times for several.",
        "Default: localhost, addresses, the host of --api and this machine's name."
      })
  private List<String> names = List.of();

  @Option(
      names = "--otlp",
      paramLabel = "URL",
      description = {
        "Sends a collector of OpenTelemetry the figures of /metrics each minute, and a trace of each",
        "session at its end: OTLP over HTTP, to URL/v1/metrics and URL/v1/traces.",
        "Default: $OTEL_EXPORTER_OTLP_ENDPOINT, else none. $OTEL_EXPORTER_OTLP_HEADERS are sent too."
      })
  private String collector;

  /** Refuses options that contradict each other, as wrong usage. */
  void check() {
    if (address == null) {
      expect(clients == null, "--api-clients is for --api");
      expect(identity == null, "--identity is for --api");
      expect(names.isEmpty(), "--api-host is for --api");
      expect(collector == null, "--otlp is for --api");
      return;
    }
    expect(rate > 0, "--api-rate is at least 1");
    Optional<Collector> unused = collector();
    expect(address().encrypted() || clients == null, "http has no certificates");
  }

  /** Whether it wants a certificate. */
  boolean isEncrypted() {
    return address != null && address().encrypted();
  }

  private void expect(boolean right, String what) {
    if (!right) {
      throw new ParameterException(spec.commandLine(), what);
    }
  }

  private Optional<Collector> collector() {
    String url = collector == null ? variable("OTEL_EXPORTER_OTLP_ENDPOINT") : collector;
    try {
      return url.isEmpty()
          ? Optional.empty()
          : Optional.of(Collector.of(url, variable("OTEL_EXPORTER_OTLP_HEADERS")));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static String variable(String name) {
    return System.getenv().getOrDefault(name, "");
  }

  private ApiAddress address() {
    try {
      return ApiAddress.parse(address);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /**
   * Starts it, if it is wanted.
   *
   * @param endpoints where programs connect to
   * @param tls the certificate for https
   */
  Optional<ApiServer> start(Pool pool, Path state, List<String> endpoints, TlsOptions tls)
      throws IOException {
    return start(pool, state, endpoints, tls, List::of);
  }

  /**
   * Starts it, if it is wanted.
   *
   * @param endpoints where programs connect to
   * @param tls the certificate for https
   * @param guests who vouches for clients that bring a certificate, over https
   */
  Optional<ApiServer> start(
      Pool pool,
      Path state,
      List<String> endpoints,
      TlsOptions tls,
      Supplier<List<X509Certificate>> guests)
      throws IOException {
    if (address == null) {
      return Optional.empty();
    }
    ApiServer.Builder builder = ApiServer.at(address()).rate(rate).names(names);
    collector().ifPresent(builder::collector);
    if (identity != null) {
      IdentityFile people = IdentityFile.read(identity);
      builder.identities(new ProviderIdentities(people)).signIns(new ProviderSignIns(people));
    }
    if (isEncrypted()) {
      builder.tls(tls.server(clients).welcoming(guests.get()));
    }
    Node node = new Node(CertCommand.Common.host(), Build.VERSION, endpoints, Instant.now());
    return Optional.of(builder.start(pool, node, state));
  }
}
