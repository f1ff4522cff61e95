// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import io.outboard.spec.Query;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The work of a generated symbol on objects of the program.
 *
 * @param owned parameters of which the first object becomes an owner
 * @param known parameters that are answers about the object that is made, with their names
 * @param once lists of pairs that name nothing twice
 * @param query what is asked, if the call is a question
 * @param complete parameters with objects that must lack nothing
 * @param learns whether the program learns that earlier work of the first object is over
 * @param mark the name under which a success is remembered of the first object
 * @param alike whether what is made is known as the first object is
 */
public record Objects(
    List<String> owned,
    Map<String, Integer> known,
    List<String> once,
    Optional<Query> query,
    List<String> complete,
    boolean learns,
    OptionalInt mark,
    boolean alike) {
  /** Whether there is anything. */
  public boolean present() {
    return !owned.isEmpty()
        || !known.isEmpty()
        || !once.isEmpty()
        || query.isPresent()
        || !complete.isEmpty()
        || learns
        || mark.isPresent()
        || alike;
  }
}
