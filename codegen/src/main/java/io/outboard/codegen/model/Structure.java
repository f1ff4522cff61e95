// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import java.util.List;
import java.util.function.Predicate;

/**
 * A structure of the vendor's ABI.
 *
 * @param name the C name
 * @param members in order
 * @param bytes size in memory
 * @param alignment alignment in memory
 * @param wireBytes size on the wire, {@code bytes} or more
 * @param sized whether the first member says how large the caller's is
 */
public record Structure(
    String name, List<Member> members, int bytes, int alignment, int wireBytes, boolean sized) {
  /** The part of the first member that is the size. */
  public static final int SIZE_MASK = 0xff_ffff;

  /** Whether a handle lies in it, however deep. */
  public boolean hasHandles() {
    return any(
        member ->
            switch (member) {
              case Member.Plain plain -> plain.handle().present();
              case Member.Counted counted ->
                  counted.handle().present()
                      || counted.structure().filter(Structure::hasHandles).isPresent();
              case Member.Nested nested -> nested.structure().hasHandles();
              case Member.Choice choice ->
                  choice.cases().stream().anyMatch(c -> c.structure().hasHandles());
            });
  }

  /** Whether a counted pointer lies in it, however deep. */
  public boolean hasPointers() {
    return any(
        member ->
            switch (member) {
              case Member.Plain plain -> false;
              case Member.Counted counted -> true;
              case Member.Nested nested -> nested.structure().hasPointers();
              case Member.Choice choice ->
                  choice.cases().stream().anyMatch(c -> c.structure().hasPointers());
            });
  }

  /** Whether the number of a device lies in it or in a structure that it contains. */
  public boolean hasOrdinals() {
    return any(
        member ->
            switch (member) {
              case Member.Plain plain -> plain.ordinal().isPresent();
              case Member.Nested nested -> nested.structure().hasOrdinals();
              case Member.Counted _, Member.Choice _ -> false;
            });
  }

  /** The member of a name that is known to exist. */
  public Member member(String member) {
    return members.stream().filter(m -> m.name().equals(member)).findFirst().orElseThrow();
  }

  private boolean any(Predicate<Member> predicate) {
    return members.stream().anyMatch(predicate);
  }
}
