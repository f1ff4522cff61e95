// SPDX-License-Identifier: Apache-2.0
package io.outboard.plugin;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;

/**
 * The services of a type that there are: this build's own, and then those of plug-ins, in the order
 * of their files' names. Of two that cannot be told apart the first one is taken.
 *
 * @param taken those that are used
 * @param refused what is not used, and why
 */
public record Offers<S>(List<Offer<S>> taken, List<Refused> refused) {
  /**
   * A service that is used.
   *
   * @param service the service
   * @param from its plug-in; empty for this build's own
   */
  public record Offer<S>(S service, Optional<PlugIn> from) {
    private String origin() {
      return from.map(PlugIn::toString).orElse("Outboard itself");
    }
  }

  /**
   * A plug-in, or something of it, that is not used.
   *
   * @param file its jar
   * @param why a predicate of the jar
   */
  public record Refused(Path file, String why) {
    /** A line for people. */
    @Override
    public String toString() {
      return "the plug-in " + file + " " + why;
    }
  }

  /**
   * Looks for services.
   *
   * @param identities what no two of them may have in common, as {@code "the scheme tcp"}
   */
  public static <S> Offers<S> of(Class<S> type, Function<S, List<String>> identities) {
    Collector<S> collector = new Collector<>(identities);
    ServiceLoader.load(type)
        .forEach(service -> collector.add(new Offer<>(service, Optional.empty())));
    for (PlugIn plugIn : PlugIns.opened()) {
      collector.addAll(type, plugIn);
    }
    return new Offers<>(List.copyOf(collector.taken), List.copyOf(collector.refused));
  }

  /** The services alone. */
  public List<S> services() {
    return taken.stream().map(Offer::service).toList();
  }

  private static final class Collector<S> {
    private final Function<S, List<String>> identities;
    private final List<Offer<S>> taken = new ArrayList<>();
    private final List<Refused> refused = new ArrayList<>();
    private final Map<String, Offer<S>> owners = new HashMap<>();

    Collector(Function<S, List<String>> identities) {
      this.identities = identities;
    }

    void addAll(Class<S> type, PlugIn plugIn) {
      try {
        plugIn.services(type).forEach(service -> add(new Offer<>(service, Optional.of(plugIn))));
      } catch (PlugInException e) {
        refused.add(new Refused(plugIn.file(), e.getMessage()));
      }
    }

    /**
     * Offers of this build itself win over those of plug-ins: its parts are known to go together.
     */
    void add(Offer<S> offer) {
      List<String> own = identities.apply(offer.service());
      Optional<String> known = own.stream().filter(owners::containsKey).findFirst();
      if (offer.from().isPresent() && known.isPresent()) {
        refuse(offer.from().get(), known.get(), owners.get(known.get()));
        return;
      }
      own.forEach(identity -> owners.putIfAbsent(identity, offer));
      taken.add(offer);
    }

    private void refuse(PlugIn from, String identity, Offer<S> owner) {
      refused.add(new Refused(from.file(), "has " + identity + ", as " + owner.origin() + " has"));
    }
  }
}
