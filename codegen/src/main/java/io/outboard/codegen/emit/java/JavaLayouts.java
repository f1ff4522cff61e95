// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.Structure;
import io.outboard.spec.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Memory layouts, which say how a structure is passed by value. */
final class JavaLayouts {
  private JavaLayouts() {}

  /** The layout of a scalar. */
  static String of(Scalar type) {
    return "ValueLayout.JAVA_" + type.name();
  }

  /** The layout of a structure, with its padding. */
  static String of(Structure structure) {
    List<String> members = new ArrayList<>();
    int at = 0;
    for (Member member : structure.members()) {
      pad(members, member.offset() - at);
      members.add(of(member));
      at = member.offset() + bytes(member);
    }
    pad(members, structure.bytes() - at);
    return "MemoryLayout.structLayout(" + String.join(", ", members) + ")";
  }

  private static String of(Member member) {
    return switch (member) {
      case Member.Plain plain -> array(of(plain.type()), plain.count());
      case Member.Nested nested -> array(of(nested.structure()), nested.count());
      case Member.Counted counted -> of(Scalar.LONG);
      case Member.Choice choice -> union(choice);
    };
  }

  private static String union(Member.Choice choice) {
    Stream<String> cases = choice.cases().stream().map(c -> of(c.structure()));
    int largest = choice.cases().stream().mapToInt(c -> c.structure().bytes()).max().orElse(0);
    Stream<String> bytes =
        largest == choice.bytes()
            ? Stream.empty()
            : Stream.of(array(of(Scalar.BYTE), choice.bytes()));
    return Stream.concat(cases, bytes)
        .collect(Collectors.joining(", ", "MemoryLayout.unionLayout(", ")"));
  }

  private static String array(String element, int count) {
    return count == 0 ? element : "MemoryLayout.sequenceLayout(%d, %s)".formatted(count, element);
  }

  private static void pad(List<String> members, int bytes) {
    if (bytes > 0) {
      members.add("MemoryLayout.paddingLayout(" + bytes + ")");
    }
  }

  private static int bytes(Member member) {
    int element =
        switch (member) {
          case Member.Plain plain -> plain.type().bytes();
          case Member.Nested nested -> nested.structure().bytes();
          case Member.Counted counted -> 8;
          case Member.Choice choice -> choice.bytes();
        };
    return element * member.elements();
  }
}
