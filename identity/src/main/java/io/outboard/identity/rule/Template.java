// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.rule;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text in which {@code {name}} is what a part of that name was in a claim.
 *
 * @param text as the file has it
 */
record Template(String text) {
  private static final Pattern PLACE = Pattern.compile("\\{([a-z][a-z0-9]*)\\}");

  /** The names of its places. */
  List<String> names() {
    return PLACE.matcher(text).results().map(place -> place.group(1)).toList();
  }

  /** With the parts in its places, which all are there. */
  String fill(Map<String, String> parts) {
    return PLACE.matcher(text).replaceAll(place -> Matcher.quoteReplacement(part(parts, place)));
  }

  private static String part(Map<String, String> parts, MatchResult place) {
    return parts.get(place.group(1));
  }
}
