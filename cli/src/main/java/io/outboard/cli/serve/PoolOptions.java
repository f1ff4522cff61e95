// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.api.ApiAddress;
import io.outboard.api.node.BrokerClient;
import io.outboard.api.node.NodeAgent;
import io.outboard.api.node.NodeIdentity;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.certificate.Issuer;
import io.outboard.communicator.certificate.Pem;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.communicator.certificate.TlsIdentity;
import io.outboard.communicator.posix.PrivateFiles;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The pool of many nodes that a backend is part of. */
final class PoolOptions {
  /** The variable with the token of an invitation. */
  static final String TOKEN = "OUTBOARD_POOL_TOKEN";

  /** The file with the secret of a node that has joined a broker of its machine. */
  private static final String SECRET = "pool.secret";

  /** The folder with the node's certificate and its key, and their name there. */
  private static final String IDENTITY = "pool";

  private static final String NODE = "node";

  private static final Set<String> LOCAL = Set.of("127.0.0.1", "localhost", "[::1]");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--pool",
      paramLabel = "URL",
      description = {
        "The broker that leases this machine's GPUs: what its --api says, https://HOST:PORT, or",
        "http://127.0.0.1:PORT; may be given several times, where one of several brokers leads. The",
        "first time, the token of 'outboard node invite' is in OUTBOARD_POOL_TOKEN or",
        "--pool-token-file. Programs need a lease then."
      })
  private final List<String> brokers = new ArrayList<>();

  @Option(
      names = "--pool-name",
      paramLabel = "NAME",
      description = "The name under which this node was invited. Default: that of the host.")
  private String name;

  @Option(
      names = "--pool-token-file",
      paramLabel = "FILE",
      description = "Where the token of the invitation is; read by this user alone.")
  private Path tokenFile;

  @Option(
      names = "--pool-ca",
      paramLabel = "FILE",
      description = "The authorities, in PEM, that vouch for the broker. Default: the system's.")
  private Path authorities;

  @Option(
      names = "--pool-endpoint",
      paramLabel = "URI",
      description = {
        "Where programs of other machines reach this node, the best first; may be given several",
        "times. Default: each --listen, those that other machines can reach first."
      })
  private final List<String> endpoints = new ArrayList<>();

  /** Whether there is one. */
  boolean isWanted() {
    return !brokers.isEmpty();
  }

  /** Refuses options that contradict each other, as wrong usage. */
  void check() {
    boolean others = name != null || tokenFile != null || authorities != null;
    if (brokers.isEmpty() && (others || !endpoints.isEmpty())) {
      throw new ParameterException(spec.commandLine(), "--pool-… is for --pool");
    }
    try {
      if (addresses().stream().map(URI::getScheme).distinct().count() > 1) {
        throw new IllegalArgumentException("either all brokers are at https, or all at http");
      }
      endpoints.forEach(Endpoint::parse);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--pool: " + e.getMessage(), e);
    }
  }

  private List<URI> addresses() {
    return brokers.stream().map(PoolOptions::address).toList();
  }

  /** The token of the invitation goes there. */
  private static URI address(String text) {
    ApiAddress address = ApiAddress.parse(text);
    if (!address.encrypted() && !LOCAL.contains(address.uri().getHost())) {
      throw new IllegalArgumentException(
          text + " is not encrypted, and another machine: say https, or 127.0.0.1");
    }
    return address.uri();
  }

  /**
   * Joins it where that is wanted, and obeys it from then on.
   *
   * @param listening where this backend listens
   */
  Optional<NodeAgent> join(Pool pool, Path state, List<Endpoint> listening) throws IOException {
    if (brokers.isEmpty()) {
      return Optional.empty();
    }
    List<X509Certificate> vouching =
        authorities == null ? List.of() : Pem.certificates(authorities);
    String node = name == null ? CertCommand.Common.host() : name;
    List<URI> uris = addresses();
    BrokerClient stranger = new BrokerClient(uris, node, new TlsCaller(vouching, Optional.empty()));
    List<String> places = places(listening);
    NodeAgent agent;
    if (uris.getFirst().getScheme().equals("https")) {
      CertificateFolder folder = new CertificateFolder(state.resolve(IDENTITY));
      NodeIdentity identity = identity(stranger, pool, folder);
      TlsCaller own = new TlsCaller(vouching, Optional.of(identity));
      pool.ordered().are(String.join(", ", brokers));
      agent = new NodeAgent(new BrokerClient(uris, node, own), identity, pool, places);
    } else {
      String secret = secret(stranger, pool, state.resolve(SECRET));
      pool.ordered().are(String.join(", ", brokers));
      agent = new NodeAgent(stranger, secret, pool, places);
    }
    return Optional.of(agent);
  }

  private NodeIdentity identity(BrokerClient client, Pool pool, CertificateFolder folder)
      throws IOException {
    TlsIdentity identity = folder.has(NODE) ? folder.read(NODE) : joined(client, pool);
    if (!folder.has(NODE)) {
      folder.keep(NODE, identity);
    }
    return new NodeIdentity(identity, next -> folder.keep(NODE, next), InstantSource.system());
  }

  private TlsIdentity joined(BrokerClient client, Pool pool) throws IOException {
    checkUnleased(pool);
    KeyPair keys = Issuer.keys();
    return new TlsIdentity(client.join(invitation(), keys.getPublic()), keys.getPrivate());
  }

  private String secret(BrokerClient client, Pool pool, Path file) throws IOException {
    if (Files.exists(file)) {
      return PrivateFiles.read(file).strip();
    }
    checkUnleased(pool);
    String secret = client.join(invitation());
    PrivateFiles.create(file, secret + "\n");
    return secret;
  }

  private static void checkUnleased(Pool pool) throws IOException {
    if (pool.ordered().hasOthers()) {
      throw new IOException(
          "there are leases that this node has given itself: release them before it joins a pool");
    }
  }

  private String invitation() throws IOException {
    if (tokenFile != null) {
      return PrivateFiles.read(tokenFile).strip();
    }
    String token = System.getenv().getOrDefault(TOKEN, "");
    if (token.isEmpty()) {
      throw new IOException(
          "this node has not joined the pool yet: 'outboard node invite' at the broker makes a"
              + " token for it, for OUTBOARD_POOL_TOKEN or --pool-token-file");
    }
    return token;
  }

  private List<String> places(List<Endpoint> listening) {
    if (!endpoints.isEmpty()) {
      return endpoints;
    }
    List<String> places = new ArrayList<>();
    for (boolean local : List.of(false, true)) {
      listening.stream()
          .filter(at -> at.scheme().equals(Endpoint.UNIX) == local)
          .map(Endpoint::toString)
          .forEach(places::add);
    }
    return places;
  }
}
