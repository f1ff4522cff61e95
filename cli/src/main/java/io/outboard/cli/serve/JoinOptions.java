// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.backend.daemon.DaemonBuilder;
import io.outboard.cli.device.Device;
import io.outboard.cli.device.DeviceList;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.TokenFile;
import io.outboard.wire.Token;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Which other hosts' devices programs have too. */
final class JoinOptions {
  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--join",
      paramLabel = "URI",
      description = {
        "Gives programs without a lease the devices of another backend too, behind those of this",
        "machine: tls://HOST[:PORT] or tcp://HOST[:PORT]; may be given seven times. Its token is in",
        "OUTBOARD_TOKEN or --join-token-file."
      })
  private final List<String> join = new ArrayList<>();

  @Option(
      names = "--join-token-file",
      paramLabel = "FILE",
      description = "Where the token of the backends is that are joined; read by this user alone.")
  private Path tokenFile;

  @Option(
      names = "--copy-to",
      paramLabel = "URI",
      description = {
        "A program that has joined this backend and that one copies from here to there directly;",
        "may be given seven times. Without it such copies go through the program's first host."
      })
  private final List<String> copyTo = new ArrayList<>();

  void apply(DaemonBuilder builder) throws IOException {
    try {
      List<Endpoint> backends = join.stream().map(Endpoint::parse).toList();
      backends.forEach(Communicator::of);
      builder.join(backends, token().orElse(null));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--join: " + e.getMessage(), e);
    }
    try {
      List<Endpoint> backends = copyTo.stream().map(Endpoint::parse).toList();
      backends.forEach(Communicator::of);
      builder.copyTo(backends);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--copy-to: " + e.getMessage(), e);
    }
  }

  /**
   * Asks a backend that has joined them which devices of other hosts a program without a lease has,
   * as such a program: the backend's own process has none. It serves where they are not known, too.
   *
   * @param environment as {@link DeviceList#of(Endpoint, Map)} takes it
   */
  List<Device> devices(Endpoint backend, Map<String, String> environment) {
    if (join.isEmpty()) {
      return List.of();
    }
    try {
      return DeviceList.of(backend, environment).stream().filter(Device::isJoined).toList();
    } catch (IOException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          "outboard: 'outboard nodes' and 'top' will not show what is joined: " + e.getMessage());
      return List.of();
    }
  }

  private Optional<Token> token() throws IOException {
    if (join.isEmpty()) {
      return Optional.empty();
    }
    return tokenFile != null ? TokenFile.load(tokenFile) : TokenFile.find(System.getenv());
  }
}
