// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.identity.oidc.Cluster;
import io.outboard.identity.oidc.Provider;
import io.outboard.identity.proxy.Grid;
import io.outboard.identity.rule.Rule;
import io.outboard.identity.rule.Rules;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The file that says who somebody is: {@code [provider NAME]} for each OpenID provider, {@code
 * [cluster NAME]} for each Kubernetes, {@code [grid NAME]} for each grid, {@code [rule NAME]} for
 * each rule, in the order in which they are looked at.
 *
 * @param providers each with a name and an issuer of its own
 * @param clusters of Kubernetes, each with a name and an issuer of its own
 * @param grids each with a name and an audience of its own
 * @param rules of all sources
 */
public record IdentityFile(
    List<Provider> providers, List<Cluster> clusters, List<Grid> grids, Rules rules) {
  /** Sources of claims that are no providers. */
  private static final Set<String> SOURCES = Set.of("keystone", "kubernetes", "nova");

  private static final long MOST_BYTES = 1 << 20;

  /** Copies. */
  public IdentityFile {
    providers = List.copyOf(providers);
    clusters = List.copyOf(clusters);
    grids = List.copyOf(grids);
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read, or is wrong; the message says where
   */
  public static IdentityFile read(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException("%s has more than %d bytes".formatted(file, MOST_BYTES));
    }
    try {
      return parse(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new IOException("%s: %s".formatted(file, e.getMessage()), e);
    }
  }

  /**
   * Reads a file that comes with a class.
   *
   * @param name of its resource
   */
  public static IdentityFile of(Class<?> type, String name) {
    try (InputStream text = type.getResourceAsStream(name)) {
      return parse(new String(text.readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it is wrong; the message says where
   */
  public static IdentityFile parse(String text) {
    List<Provider> providers = new ArrayList<>();
    List<Cluster> clusters = new ArrayList<>();
    List<Grid> grids = new ArrayList<>();
    List<Rule> rules = new ArrayList<>();
    Set<String> audiences = new HashSet<>();
    Set<String> issuers = new HashSet<>();
    Set<String> sources = new HashSet<>(SOURCES);
    Set<String> names = new HashSet<>();
    for (Section section : Section.parse(text)) {
      switch (section.kind()) {
        case "provider" -> {
          Provider provider = made(section, () -> provider(section));
          once(section, sources.add(provider.name()), "the name");
          once(section, issuers.add(provider.issuer()), "the issuer");
          providers.add(provider);
        }
        case "cluster" -> {
          Cluster cluster = made(section, () -> Cluster.of(section.name(), section.values()));
          once(section, sources.add(cluster.name()), "the name");
          once(section, issuers.add(cluster.issuer()), "the issuer");
          clusters.add(cluster);
        }
        case "grid" -> {
          Grid grid = made(section, () -> Grid.of(section.name(), section.values()));
          once(section, sources.add(grid.name()), "the name");
          once(section, audiences.add(grid.audience()), "the audience");
          grids.add(grid);
        }
        case "rule" -> {
          Rule rule = made(section, () -> Rule.of(section.name(), section.values()));
          once(section, names.add(rule.name()), "the name");
          known(section, sources, rule);
          rules.add(rule);
        }
        default ->
            throw section.wrong(
                "there are sections of kinds 'provider', 'cluster', 'grid' and 'rule'");
      }
    }
    return new IdentityFile(providers, clusters, grids, new Rules(rules));
  }

  private static Provider provider(Section section) {
    return Provider.of(section.name(), section.values());
  }

  private static <T> T made(Section section, Supplier<T> making) {
    try {
      return making.get();
    } catch (IllegalArgumentException e) {
      IllegalArgumentException wrong = section.wrong(e.getMessage());
      wrong.initCause(e);
      throw wrong;
    }
  }

  private static void once(Section section, boolean first, String what) {
    if (!first) {
      throw section.wrong(what + " is another one's");
    }
  }

  /** A provider stands above its rules, so that a misspelt name is not taken for a later one. */
  private static void known(Section section, Set<String> sources, Rule rule) {
    if (!sources.contains(rule.source())) {
      throw section.wrong(
          "'from' is a provider above it, or one of %s, not '%s'"
              .formatted(String.join(", ", SOURCES.stream().sorted().toList()), rule.source()));
    }
  }
}
