// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.identity;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.http.WholeAnswer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Version;
import io.outboard.communicator.certificate.Pem;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.identity.oidc.Login;
import io.outboard.identity.oidc.LoginFile;
import io.outboard.identity.oidc.ProviderClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code outboard logout}. */
@Command(
    name = "logout",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Ends the login of this user.",
      "The provider gives no more tokens by it. A token that somebody has copied is good until it",
      "ends, but where --api names the lease office: that refuses it from now on."
    })
public final class LogoutCommand implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long MOST_ANSWER = 64 << 10;

  @Spec private CommandSpec spec;

  @Option(
      names = "--api",
      paramLabel = "URL",
      split = " ",
      defaultValue = "${env:OUTBOARD_API}",
      description = "HTTP interfaces that are to refuse the token. Default: OUTBOARD_API.")
  private final List<URI> servers = new ArrayList<>();

  @Option(
      names = "--api-ca",
      paramLabel = "FILE",
      defaultValue = "${env:OUTBOARD_API_CA}",
      description = "Authorities that vouch for them, PEM. Default: OUTBOARD_API_CA.")
  private Path interfaceAuthorities;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "Authorities that vouch for the provider, PEM. Default: the system's.")
  private Path authorities;

  private final List<String> failures = new ArrayList<>();

  @Override
  public Integer call() throws Failure {
    LoginFile file = LoginFile.of(System.getenv());
    try {
      file.alone(() -> signedOut(file));
    } catch (IOException e) {
      throw new Failure(e);
    }
    if (!failures.isEmpty()) {
      throw new Failure("signed out here, but " + String.join("; ", failures));
    }
    spec.commandLine().getOut().println("signed out");
    spec.commandLine().getOut().flush();
    return 0;
  }

  /** The token that is kept here is gone in any case. */
  private boolean signedOut(LoginFile file) throws IOException {
    Optional<Login> login = file.read();
    file.remove();
    if (login.isPresent()) {
      attempt(() -> revoke(login.get()));
      for (URI server : servers) {
        attempt(() -> tell(server, login.get()));
      }
    }
    return login.isPresent();
  }

  /** Something that may fail. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  private void attempt(Step step) {
    try {
      step.run();
    } catch (IOException e) {
      failures.add(e.getMessage());
    }
  }

  private void revoke(Login login) throws IOException {
    try (ProviderClient http = new ProviderClient(Optional.ofNullable(authorities))) {
      LoginCommand.of(login, http).revoke(login);
    }
  }

  private void tell(URI server, Login login) throws IOException {
    TlsCaller tls =
        new TlsCaller(
            interfaceAuthorities == null ? List.of() : Pem.certificates(interfaceAuthorities),
            Optional.empty());
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve("/v1/identity/logout"))
            .header("Authorization", "Bearer " + login.access())
            .POST(BodyPublishers.noBody())
            .build();
    try (HttpClient http = WholeAnswer.client(tls, LIMIT)) {
      int status = WholeAnswer.told(http, request, MOST_ANSWER, LIMIT).statusCode();
      // A token that is refused there already is no failure.
      if (status != Reply.OK && status != Problem.UNAUTHORIZED) {
        throw new IOException("%s answers %d".formatted(request.uri(), status));
      }
    }
  }
}
