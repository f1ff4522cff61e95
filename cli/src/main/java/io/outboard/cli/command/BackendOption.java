// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import io.outboard.client.find.Backends;
import io.outboard.client.find.Found;
import io.outboard.communicator.Communicator;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which backend a command asks, that one of which it is told or that which programs find. */
public class BackendOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--on", paramLabel = "URI", description = "The backend to ask.")
  private String on;

  /**
   * Finds it.
   *
   * @throws Failure if there is none
   */
  public final Found find() throws Failure {
    try {
      Backends backends = new Backends();
      Found found =
          backends
              .find(Optional.ofNullable(on))
              .orElseThrow(
                  () ->
                      new Failure(
                          notFound(backends) + "; start one with 'outboard serve', or say --on"));
      Communicator.of(found.endpoint());
      return found;
    } catch (IllegalArgumentException e) {
      throw misused(e);
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  /** The error of a command whose arguments are wrong. */
  protected final ParameterException misused(IllegalArgumentException why) {
    return new ParameterException(spec.commandLine(), why.getMessage(), why);
  }

  /** That there is none; with the one that is there and is not for this user. */
  public static String notFound(Backends backends) {
    return "no backend found"
        + backends
            .othersSocket()
            .map(
                socket ->
                    ": "
                        + socket
                        + " is not for this user: ask its operator for a lease and a URI, or to be in the socket's group")
            .orElse("");
  }
}
