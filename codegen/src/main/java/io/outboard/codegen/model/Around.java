// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import io.outboard.spec.Need;
import java.util.List;
import java.util.Optional;

/**
 * The work of a generated symbol around the call that travels.
 *
 * @param ready what must be there before anything else
 * @param orderedBy handles whose latest calls may have been posted in another lane
 * @param notesLane handles that belong to the caller's lane from then on
 * @param touches handles that its order with calls of other threads is about; none: everything
 * @param reserved the range that it hands out
 * @param released the parameter with the beginning of a range that it takes back
 * @param bytes how it moves bytes between the program and a device
 * @param until the topic with whose change the answer ends; empty where the answer is not kept
 * @param changes the topic that the call changes
 * @param narrowed a number that is not as wide in the program's memory
 * @param objects what it does with objects of the program
 */
public record Around(
    Optional<Need> ready,
    List<String> orderedBy,
    List<String> notesLane,
    List<String> touches,
    Optional<Reserved> reserved,
    Optional<String> released,
    Bytes bytes,
    Optional<String> until,
    Optional<String> changes,
    Optional<Narrowed> narrowed,
    Objects objects) {
  /** Whether it does anything, but for what the call itself says. */
  public boolean present() {
    return ready.isPresent()
        || !orderedBy.isEmpty()
        || !notesLane.isEmpty()
        || reserved.isPresent()
        || released.isPresent()
        || bytes != Bytes.NONE
        || until.isPresent()
        || changes.isPresent()
        || narrowed.isPresent()
        || objects.present();
  }
}
