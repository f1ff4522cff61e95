// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Version;
import io.outboard.communicator.certificate.Issuer;
import io.outboard.communicator.certificate.TlsIdentity;
import io.outboard.communicator.posix.Processes;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code outboard cert}. */
@Command(
    name = "cert",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {CertCommand.Server.class, CertCommand.Client.class},
    description = {
      "Makes certificates for tls://, for those who have no authority that does.",
      "The first call makes an authority too: give ca.pem to the clients, and keep ca.key."
    })
public final class CertCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "say 'server' or 'client'");
  }

  /** The common part of both commands. */
  static final class Common {
    private static final Duration AUTHORITY_LASTS = Duration.ofDays(3650);

    /** Clocks differ. */
    private static final Duration EARLIER = Duration.ofHours(1);

    @Option(
        names = "--folder",
        paramLabel = "FOLDER",
        description = {
          "Where files are kept. Default: ~/.config/outboard/tls, for root /etc/outboard/tls,",
          "where 'serve' looks for them."
        })
    private Path folder;

    @Option(
        names = "--days",
        paramLabel = "N",
        defaultValue = "397",
        description = "How long the certificate is good. Default: ${DEFAULT-VALUE}")
    private int days;

    CertificateFolder folder() {
      List<Path> usual = CertificateFolder.candidates(System.getenv());
      Path own = Processes.getuid() == 0 ? usual.getLast() : usual.getFirst();
      return new CertificateFolder(folder != null ? folder : own);
    }

    /** What 'serve' has to be told to find the files. */
    String option() {
      return folder == null ? "" : " --tls-cert " + folder().certificate("server");
    }

    Instant from() {
      return Instant.now().minus(EARLIER);
    }

    Instant until() {
      return Instant.now().plus(Duration.ofDays(days));
    }

    /** The authority of a folder; makes it where there is none. */
    Issuer issuer(CertificateFolder kept) throws IOException {
      if (!kept.hasAuthority()) {
        String name = "Outboard authority of " + host();
        kept.keepAuthority(Issuer.authority(name, from(), Instant.now().plus(AUTHORITY_LASTS)));
      }
      return new Issuer(kept.readAuthority());
    }

    static String host() {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException _) {
        return "localhost";
      }
    }
  }

  /** {@code outboard cert server}. */
  @Command(
      name = "server",
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      description = "Makes the certificate of a backend: server.pem and server.key.")
  static final class Server implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private Common common;

    @Parameters(
        paramLabel = "HOST",
        arity = "0..*",
        description =
            "Names and addresses by which clients call this host. Default: its name, localhost.")
    private final List<String> hosts = new ArrayList<>();

    @Override
    public Integer call() throws Failure {
      List<String> names = hosts.isEmpty() ? List.of(Common.host(), "localhost") : hosts;
      try {
        CertificateFolder folder = common.folder();
        TlsIdentity made = common.issuer(folder).server(names, common.from(), common.until());
        folder.keep("server", made);
        tell(folder, names.getFirst(), made);
        return 0;
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      } catch (IOException e) {
        throw new Failure(e);
      }
    }

    private void tell(CertificateFolder folder, String host, TlsIdentity made) {
      String authority = host.contains(":") ? "[" + host + "]" : host;
      PrintWriter out = spec.commandLine().getOut();
      out.println("certificate " + folder.certificate("server"));
      out.println("serve with  outboard serve --listen tls://" + authority + common.option());
      out.println("clients     OUTBOARD=tls://%s, OUTBOARD_CA=ca.pem".formatted(authority));
      out.println("            which is " + folder.authority());
      out.println("or          OUTBOARD=tls://%s@%s".formatted(made.fingerprint(), authority));
      out.flush();
    }
  }

  /** {@code outboard cert client}. */
  @Command(
      name = "client",
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      description = {
        "Makes the certificate of a client: NAME.pem and NAME.key.",
        "It is for a backend with --tls-client-ca."
      })
  static final class Client implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private Common common;

    @Parameters(paramLabel = "NAME", description = "Whose it is.")
    private String name;

    @Override
    public Integer call() throws Failure {
      if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*") || name.matches("ca|server")) {
        throw new ParameterException(
            spec.commandLine(),
            "a name is of letters, digits, '.', '_' and '-', and not ca or server");
      }
      try {
        CertificateFolder folder = common.folder();
        folder.keep(name, common.issuer(folder).client(name, common.from(), common.until()));
        PrintWriter out = spec.commandLine().getOut();
        out.println("certificate " + folder.certificate(name));
        out.println("serve with  --tls-client-ca " + folder.authority());
        out.println("client      OUTBOARD_CERT=%s.pem, OUTBOARD_KEY=%s.key".formatted(name, name));
        out.flush();
        return 0;
      } catch (IOException e) {
        throw new Failure(e);
      }
    }
  }
}
