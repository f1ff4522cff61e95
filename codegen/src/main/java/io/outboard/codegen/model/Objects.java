// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import io.outboard.spec.Query;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a generated symbol does with objects of the program.
 *
 * @param owned parameters of which the first object becomes an owner
 * @param known parameters that are answers about the object that is made, with their names
 * @param once lists of pairs that name nothing twice
 * @param query what is asked, if the call is a question
 */
public record Objects(
    List<String> owned, Map<String, Integer> known, List<String> once, Optional<Query> query) {
  /** Whether there is anything. */
  public boolean present() {
    return !owned.isEmpty() || !known.isEmpty() || !once.isEmpty() || query.isPresent();
  }
}
