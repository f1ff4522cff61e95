// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.site;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Line;
import io.outboard.cli.command.Output;
import io.outboard.cli.command.ShellWords;
import io.outboard.cli.command.Version;
import io.outboard.client.find.Backends;
import io.outboard.client.find.Site;
import io.outboard.communicator.greeting.TokenFile;
import io.outboard.communicator.tls.TlsClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code outboard sites}. */
@Command(
    name = "sites",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Prints the sites of outboard.properties, and what each of them offers now.",
      "A lease is had of the site with most room; 'lease --site NAME' names one."
    })
public final class SitesCommand implements Callable<Integer> {
  private static final String ROW = "%-16s %5s %5s  %-36s %s";

  @Spec private CommandSpec spec;
  @Mixin private Output output;

  /** The launcher evaluates these lines for {@code run --site}. */
  @Option(names = "--variables", hidden = true, paramLabel = "NAME")
  private String named;

  @Override
  public Integer call() throws Failure {
    try {
      List<Site> sites = new Backends().sites();
      if (named != null) {
        spec.commandLine().getOut().println(String.join("\n", variables(sites)));
        spec.commandLine().getOut().flush();
        return 0;
      }
      if (sites.isEmpty()) {
        throw new Failure("no outboard.properties has the key 'sites'");
      }
      output.print(answer(new OfferReader().read(sites)));
      return 0;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private List<String> variables(List<Site> sites) throws IOException {
    Site site =
        sites.stream()
            .filter(one -> one.name().equals(named))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "no outboard.properties has '%s' among its sites".formatted(named)));
    Map<String, String> environment = site.environment(System.getenv());
    List<String> lines = new ArrayList<>();
    lines.add(ShellWords.exported(Backends.VARIABLE, site.backend().toString()));
    for (String name : List.of(TokenFile.VARIABLE, TlsClient.CA)) {
      String value = environment.getOrDefault(name, "");
      lines.add(value.isEmpty() ? "unset " + name : ShellWords.exported(name, value));
    }
    return lines;
  }

  private static Answer answer(List<Offered> offered) {
    Line heading = Line.heading(ROW.formatted("site", "free", "GPUs", "backend", "models"));
    Stream<Line> rows = offered.stream().map(SitesCommand::row);
    return new Answer(
        offered.stream().map(SitesCommand::object).toList(),
        Stream.concat(Stream.of(heading), rows).toList());
  }

  private static Line row(Offered one) {
    Site site = one.site();
    return one.offer()
        .map(
            offer ->
                Line.row(
                    ROW.formatted(
                        site.name(),
                        offer.free(Wanted.any()),
                        offer.total(Wanted.any()),
                        site.backend(),
                        models(offer))))
        .orElseGet(
            () ->
                new Line(
                    ROW.formatted(site.name(), "-", "-", site.backend(), one.why()),
                    Line.Kind.NOTICE));
  }

  private static String models(PublishedOffer offer) {
    return offer.kinds().stream()
        .map(PublishedOffer.Kind::model)
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static Map<String, Object> object(Offered one) {
    return Ordered.of(
        "site", one.site().name(),
        "backend", one.site().backend().toString(),
        "api", one.site().api().toString(),
        "free", one.offer().map(offer -> offer.free(Wanted.any())).orElse(null),
        "gpus", one.offer().map(offer -> offer.total(Wanted.any())).orElse(null),
        "models",
            one.offer()
                .map(offer -> offer.kinds().stream().map(PublishedOffer.Kind::model).toList())
                .orElse(List.of()),
        "why", one.why());
  }
}
