// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.site;

import io.outboard.client.find.Site;
import java.util.Optional;

/**
 * A site with its offer.
 *
 * @param offer what it publishes, if that could be read
 * @param why it could not
 */
public record Offered(Site site, Optional<PublishedOffer> offer, String why) {
  /** One that was read. */
  static Offered of(Site site, PublishedOffer offer) {
    return new Offered(site, Optional.of(offer), "");
  }

  /** One that was not. */
  static Offered unread(Site site, String why) {
    return new Offered(site, Optional.empty(), why);
  }

  /** A few words about it, for a person. */
  public String words(Wanted wanted) {
    return site.name() + " " + (offer.isPresent() ? fact(wanted) : "is out: " + why);
  }

  /** Its devices, as the end of a sentence. */
  public String fact(Wanted wanted) {
    long all = offer.map(read -> read.total(wanted)).orElse(0L);
    return all < wanted.gpus()
        ? "has %d such GPUs in all".formatted(all)
        : "has %d of %d GPUs free".formatted(offer.orElseThrow().free(wanted), all);
  }
}
