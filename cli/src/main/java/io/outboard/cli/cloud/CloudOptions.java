// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.cloud;

import io.outboard.communicator.certificate.Pem;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.communicator.posix.PrivateFiles;
import io.outboard.office.rest.RestClient;
import io.outboard.openstack.cloud.Credentials;
import io.outboard.openstack.cloud.Keystone;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Where the cloud is, and with which account it is asked. */
public final class CloudOptions {
  /** Nova waits for vendor data for five seconds, and asks again. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @Option(
      names = "--auth-url",
      paramLabel = "URL",
      defaultValue = "${env:OS_AUTH_URL}",
      description = "Keystone. Default: the variable OS_AUTH_URL, as of the next ones.")
  private URI identity;

  @Option(
      names = "--username",
      paramLabel = "NAME",
      defaultValue = "${env:OS_USERNAME}",
      description = "The account, which may change Placement and see all machines.")
  private String user;

  @Option(
      names = "--user-domain",
      paramLabel = "NAME",
      defaultValue = "${env:OS_USER_DOMAIN_NAME:-Default}",
      description = "Its domain.")
  private String userDomain;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description =
          "Its password; read by this user alone. Default: the variable OS_PASSWORD itself.")
  private Path password;

  @Option(
      names = "--project",
      paramLabel = "NAME",
      defaultValue = "${env:OS_PROJECT_NAME}",
      description = "The project in which it has its role.")
  private String project;

  @Option(
      names = "--project-domain",
      paramLabel = "NAME",
      defaultValue = "${env:OS_PROJECT_DOMAIN_NAME:-Default}",
      description = "The project's domain.")
  private String projectDomain;

  @Option(
      names = "--region",
      paramLabel = "NAME",
      defaultValue = "${env:OS_REGION_NAME:-RegionOne}",
      description = "The region.")
  private String region;

  @Option(
      names = "--cloud-ca",
      paramLabel = "FILE",
      defaultValue = "${env:OS_CACERT}",
      description = "Authorities that vouch for the cloud, PEM. Default: the system's.")
  private Path authorities;

  /** Where Keystone is; null where nobody has said. */
  public URI identity() {
    return identity;
  }

  /** The values of the variables with which OpenStack's own command asks. */
  public static CloudOptions ofEnvironment() {
    return CommandLine.populateCommand(new CloudOptions());
  }

  /**
   * Its identity service.
   *
   * @throws IOException if too little is said
   */
  public Keystone keystone() throws IOException {
    return keystone(LIMIT);
  }

  /** The same, for questions that may take so long. */
  public Keystone keystone(Duration limit) throws IOException {
    if (identity == null || user == null || project == null) {
      throw new IOException("--auth-url, --username and --project say where the cloud is");
    }
    Credentials account =
        new Credentials(identity, user, userDomain, secret(), project, projectDomain, region);
    TlsCaller tls =
        new TlsCaller(
            authorities == null ? List.of() : Pem.certificates(authorities), Optional.empty());
    return new Keystone(account, new RestClient(tls, limit), InstantSource.system());
  }

  private String secret() throws IOException {
    if (password != null) {
      return PrivateFiles.read(password).strip();
    }
    return Optional.ofNullable(System.getenv("OS_PASSWORD"))
        .orElseThrow(() -> new IOException("--password-file has the account's password"));
  }
}
