// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import io.outboard.client.find.Backends;
import io.outboard.client.find.Found;
import io.outboard.client.find.Site;
import io.outboard.communicator.Communicator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
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

  @Option(
      names = "--site",
      paramLabel = "NAME",
      description =
          "The site to ask, one of the 'sites' of outboard.properties ('outboard sites').")
  private String name;

  private Optional<Site> chosen = Optional.empty();

  /**
   * Finds it.
   *
   * @throws Failure if there is none
   */
  public final Found find() throws Failure {
    Optional<Site> site = site();
    return site.isPresent() ? site.get().found() : found();
  }

  /** Asks this one from now on. */
  public final void use(Site site) {
    chosen = Optional.of(site);
  }

  /**
   * The site that is asked, if it is one: the one that was chosen, or else that of the option.
   *
   * @throws Failure if there is no site of that name
   */
  public final Optional<Site> site() throws Failure {
    if (chosen.isEmpty() && name != null) {
      chosen = Optional.of(named());
    }
    return chosen;
  }

  private Site named() throws Failure {
    if (on != null) {
      throw misused(new IllegalArgumentException("either --on or --site"));
    }
    return sites().stream()
        .filter(site -> site.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                misused(
                    new IllegalArgumentException(
                        "no outboard.properties has '%s' among its sites".formatted(name))));
  }

  /**
   * All sites, where the one to ask is still to be chosen: nothing names a backend that the user
   * has typed or set.
   */
  public final List<Site> choice() throws Failure {
    boolean free = on == null && site().isEmpty();
    return free && System.getenv().getOrDefault(Backends.VARIABLE, "").isBlank()
        ? sites()
        : List.of();
  }

  private List<Site> sites() throws Failure {
    try {
      return new Backends().sites();
    } catch (IllegalArgumentException e) {
      throw misused(e);
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  /** The variables of whatever asks it: a site has a token, and perhaps authorities, of its own. */
  public final Map<String, String> environment() throws Failure {
    try {
      Optional<Site> site = site();
      return site.isPresent() ? site.get().environment(System.getenv()) : System.getenv();
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private Found found() throws Failure {
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
