// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.OrdinalUse;
import io.outboard.codegen.model.Structure;
import java.util.stream.Collectors;

/**
 * A router's way through structures: {@code hostsNAME} finds whose handles and devices lie there,
 * {@code renumberNAME} puts a host's numbers of devices in the place of the program's, or back.
 */
final class JavaRoutedStructures {
  private final Code code;

  JavaRoutedStructures(Code code) {
    this.code = code;
  }

  void emit(Structure structure) {
    hosts(structure);
    if (structure.hasOrdinals()) {
      renumber(structure);
    }
  }

  private static boolean concerns(Structure structure) {
    return structure.hasHandles() || structure.hasOrdinals();
  }

  private void hosts(Structure structure) {
    code.add(
        "\nprivate int %s(int known_, long from_) {\nint host_ = known_;",
        JavaRouted.hosts(structure));
    for (Member member : structure.members()) {
      switch (member) {
        case Member.Plain plain when plain.handle().present() -> {
          loop(plain);
          code.add("host_ = Hosts.join(host_, hosts.ofHandle(Native.getLong(element_)));\n}");
        }
        case Member.Plain plain when plain.ordinal().isPresent() -> {
          tag(structure, plain.ordinal().get());
          loop(plain);
          code.add("host_ = Hosts.join(host_, hosts.ofOrdinal(Native.getInt(element_)));\n}\n}");
        }
        case Member.Nested nested when concerns(nested.structure()) -> {
          loop(nested);
          code.add("host_ = %s(host_, element_);\n}", JavaRouted.hosts(nested.structure()));
        }
        case Member.Counted counted -> hosts(structure, counted);
        case Member.Choice choice -> hosts(structure, choice);
        case Member.Plain _, Member.Nested _ -> {}
      }
    }
    code.add("return host_;\n}");
  }

  private void hosts(Structure structure, Member.Counted counted) {
    boolean structures = counted.structure().filter(Structure::hasHandles).isPresent();
    if (!structures && !counted.handle().present()) {
      return;
    }
    String address = "Native.getLong(from_ + %d)".formatted(counted.offset());
    String count = address + " == 0 ? 0 : " + JavaStructures.count(structure, counted);
    loop(address, count, counted.target().bytes());
    code.add(
        structures
            ? "host_ = %s(host_, element_);\n}"
                .formatted(JavaRouted.hosts(counted.structure().orElseThrow()))
            : "host_ = Hosts.join(host_, hosts.ofHandle(Native.getLong(element_)));\n}");
  }

  private void hosts(Structure structure, Member.Choice choice) {
    for (Member.Case member : choice.cases()) {
      if (member.structure().hasHandles()) {
        int tag = structure.member(choice.tag()).offset();
        String condition =
            member.tags().stream()
                .map(value -> "Native.getInt(from_ + %d) == %d".formatted(tag, value))
                .collect(Collectors.joining(" || "));
        code.add(
            "if (%s) {\nhost_ = %s(host_, from_ + %d);\n}",
            condition, JavaRouted.hosts(member.structure()), choice.offset());
      }
    }
  }

  private void renumber(Structure structure) {
    code.add(
        "\nprivate void %s(int host_, boolean toHost_, long from_) {",
        JavaRouted.renumber(structure));
    for (Member member : structure.members()) {
      switch (member) {
        case Member.Plain plain when plain.ordinal().isPresent() -> {
          tag(structure, plain.ordinal().get());
          loop(plain);
          code.add(
              """
              int device_ = Native.getInt(element_);
              Native.putInt(element_, toHost_ ? hosts.hostOrdinal(host_, device_) : hosts.programOrdinal(host_, device_));
              }
              }
              """);
        }
        case Member.Nested nested when nested.structure().hasOrdinals() -> {
          loop(nested);
          code.add("%s(host_, toHost_, element_);\n}", JavaRouted.renumber(nested.structure()));
        }
        case Member.Plain _, Member.Nested _, Member.Counted _, Member.Choice _ -> {}
      }
    }
    code.add("}");
  }

  /** Opens a block for what is the number of a device. */
  private void tag(Structure structure, OrdinalUse use) {
    if (use.tag().isEmpty()) {
      code.add("{");
    } else {
      int offset = structure.member(use.tag()).offset();
      code.add("if (Native.getInt(from_ + %d) == %d) {", offset, use.is());
    }
  }

  private void loop(Member.Plain plain) {
    loop("from_ + " + plain.offset(), Long.toString(plain.elements()), plain.type().bytes());
  }

  private void loop(Member.Nested nested) {
    loop(
        "from_ + " + nested.offset(), Long.toString(nested.elements()), nested.structure().bytes());
  }

  private void loop(String address, String count, int bytes) {
    code.add(
        "for (long element_ = %s, left_ = %s; left_ > 0; left_--, element_ += %d) {",
        address, count, bytes);
  }
}
