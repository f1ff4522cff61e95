// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.identity;

import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Version;
import io.outboard.identity.oidc.DeviceCode;
import io.outboard.identity.oidc.DeviceLogin;
import io.outboard.identity.oidc.Login;
import io.outboard.identity.oidc.LoginFile;
import io.outboard.identity.oidc.ProviderClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code outboard login}. */
@Command(
    name = "login",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Signs in at an OpenID provider, in a browser of any machine.",
      "The token is kept in ~/.config/outboard/login.json, which this user alone can read; 'login",
      "--token' prints it, and renews it before. 'outboard logout' ends it."
    })
public final class LoginCommand implements Callable<Integer> {
  /** A request with a token that ends sooner might come too late. */
  private static final Duration SPARE = Duration.ofSeconds(30);

  private static final String USUAL_SCOPE = "openid offline_access";

  @Spec private CommandSpec spec;

  @Option(
      names = "--issuer",
      paramLabel = "URL",
      description = "The provider. Default: the one of the last login.")
  private String issuer;

  @Option(
      names = "--client",
      paramLabel = "ID",
      description =
          "The id by which the provider knows this program. Default: that of the last login.")
  private String client;

  @Option(
      names = "--scope",
      paramLabel = "WORDS",
      description =
          "The scopes to ask for. Default: those of the last login, or " + USUAL_SCOPE + ".")
  private String scope;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "Authorities that vouch for the provider, PEM. Default: the system's.")
  private Path authorities;

  @Option(
      names = "--token",
      description = {
        "Prints the token of the login that there is, which is renewed where it ends soon, and asks",
        "nobody."
      })
  private boolean token;

  @Override
  public Integer call() throws Failure {
    LoginFile file = LoginFile.of(System.getenv());
    try (ProviderClient http = new ProviderClient(Optional.ofNullable(authorities))) {
      if (token) {
        Login login = file.alone(() -> current(file, http));
        spec.commandLine().getOut().println(login.access());
      } else {
        Login login = signedIn(file.read(), http);
        file.alone(() -> kept(file, login));
        spec.commandLine().getOut().println("signed in until " + login.until());
      }
      spec.commandLine().getOut().flush();
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private static Login kept(LoginFile file, Login login) throws IOException {
    file.write(login);
    return login;
  }

  private static Login current(LoginFile file, ProviderClient http) throws IOException {
    Login login =
        file.read()
            .orElseThrow(() -> new IOException("nobody is signed in: 'outboard login' does that"));
    if (Instant.now().plus(SPARE).isBefore(login.until())) {
      return login;
    }
    return kept(file, of(login, http).refresh(login));
  }

  static DeviceLogin of(Login login, ProviderClient http) {
    return new DeviceLogin(login.issuer(), login.client(), login.scope(), http);
  }

  private Login signedIn(Optional<Login> before, ProviderClient http) throws IOException {
    String where = issuer != null ? issuer : before.map(Login::issuer).orElse("");
    String program = client != null ? client : before.map(Login::client).orElse("");
    String wanted = scope != null ? scope : before.map(Login::scope).orElse(USUAL_SCOPE);
    if (where.isEmpty() || program.isEmpty()) {
      throw new IOException("--issuer and --client say where, and as which program");
    }
    DeviceLogin login = new DeviceLogin(where, program, wanted, http);
    DeviceCode code = login.begin();
    PrintWriter out = spec.commandLine().getOut();
    out.println("open %s and type %s".formatted(code.where(), code.user()));
    if (!code.direct().equals(code.where())) {
      out.println("or open " + code.direct());
    }
    out.flush();
    return login.await(code);
  }
}
