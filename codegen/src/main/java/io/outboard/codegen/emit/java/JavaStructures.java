// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.Structure;
import io.outboard.codegen.model.Target;
import io.outboard.spec.Scalar;
import java.util.stream.Collectors;

/**
 * The dispatcher's way through structures: {@code partsNAME} finds the arrays that they point to,
 * {@code resolveNAME} puts values in the place of handles, {@code adoptNAME} handles in the place
 * of values.
 */
final class JavaStructures {
  private final Code code;
  private final String bodies;

  JavaStructures(Code code, String bodies) {
    this.code = code;
    this.bodies = bodies;
  }

  void emit(Structure structure) {
    if (structure.hasPointers()) {
      parts(structure);
    }
    if (structure.hasHandles()) {
      resolve(structure);
      if (!structure.hasPointers()) {
        adopt(structure);
      }
    }
  }

  private void parts(Structure structure) {
    code.add("\nprivate static int parts%s(Call call_, long from_, int at_) {", structure.name());
    for (Member member : structure.members()) {
      switch (member) {
        case Member.Counted counted -> parts(structure, counted);
        case Member.Nested nested when nested.structure().hasPointers() -> {
          loop(nested);
          code.add("at_ = parts%s(call_, element_, at_);\n}", nested.structure().name());
        }
        case Member.Nested _, Member.Plain _, Member.Choice _ -> {}
      }
    }
    code.add("return at_;\n}");
  }

  private void parts(Structure structure, Member.Counted counted) {
    code.add(
        """
        if (Native.getLong(from_ + %1$d) != 0) {
        long word_ = %2$s.word(call_, at_);
        long data_ = %2$s.data(call_, at_, word_, %2$s.times(%3$s, %4$d));
        Native.putLong(from_ + %1$d, data_);
        at_ = %2$s.after(at_, word_);
        """,
        counted.offset(), bodies, count(structure, counted), counted.target().bytes());
    counted
        .structure()
        .filter(Structure::hasPointers)
        .ifPresent(
            element -> {
              loop(structure, counted);
              code.add("at_ = parts%s(call_, element_, at_);\n}", element.name());
            });
    code.add("}");
  }

  private void resolve(Structure structure) {
    code.add("\nprivate static int resolve%s(Call call_, long from_) {", structure.name());
    for (Member member : structure.members()) {
      switch (member) {
        case Member.Plain plain when plain.handle().present() -> {
          loop(plain);
          resolve(plain.handle());
        }
        case Member.Nested nested when nested.structure().hasHandles() -> {
          loop(nested);
          resolveElement(nested.structure());
        }
        case Member.Counted counted when counted.handle().present() -> {
          loop(structure, counted);
          resolve(counted.handle());
        }
        case Member.Counted counted when handles(counted.target()) -> {
          loop(structure, counted);
          resolveElement(((Target.Structures) counted.target()).structure());
        }
        case Member.Choice choice -> resolve(structure, choice);
        case Member.Plain _, Member.Nested _, Member.Counted _ -> {}
      }
    }
    code.add("return 0;\n}");
  }

  private void resolve(HandleUse handle) {
    code.add(
        """
        long value_ = %s(call_, Native.getLong(element_));
        if (value_ == Handles.INVALID) {
        return %d;
        }
        Native.putLong(element_, value_);
        }
        """,
        JavaHandles.resolve(handle), handle.invalid());
  }

  private void resolveElement(Structure structure) {
    code.add(
        """
        int result_ = resolve%s(call_, element_);
        if (result_ != 0) {
        return result_;
        }
        }
        """,
        structure.name());
  }

  private void resolve(Structure structure, Member.Choice choice) {
    for (Member.Case member : choice.cases()) {
      if (member.structure().hasHandles()) {
        tag(structure, choice, member);
        code.add(
            """
            int result_ = resolve%s(call_, from_ + %d);
            if (result_ != 0) {
            return result_;
            }
            }
            """,
            member.structure().name(), choice.offset());
      }
    }
  }

  private void adopt(Structure structure) {
    code.add("\nprivate static void adopt%s(Call call_, long from_) {", structure.name());
    for (Member member : structure.members()) {
      switch (member) {
        case Member.Plain plain when plain.handle().present() -> {
          loop(plain);
          code.add(
              "Native.putLong(element_, %s(call_, Native.getLong(element_), 0));\n}",
              JavaHandles.adopt(plain.handle()));
        }
        case Member.Nested nested when nested.structure().hasHandles() -> {
          loop(nested);
          code.add("adopt%s(call_, element_);\n}", nested.structure().name());
        }
        case Member.Choice choice -> adopt(structure, choice);
        case Member.Plain _, Member.Nested _, Member.Counted _ -> {}
      }
    }
    code.add("}");
  }

  private void adopt(Structure structure, Member.Choice choice) {
    for (Member.Case member : choice.cases()) {
      if (member.structure().hasHandles()) {
        tag(structure, choice, member);
        code.add("adopt%s(call_, from_ + %d);\n}", member.structure().name(), choice.offset());
      }
    }
  }

  private void tag(Structure structure, Member.Choice choice, Member.Case member) {
    String tag = "Native.getInt(from_ + %d)".formatted(structure.member(choice.tag()).offset());
    String condition =
        member.tags().stream()
            .map(value -> tag + " == " + value)
            .collect(Collectors.joining(" || "));
    code.add("if (%s) {", condition);
  }

  private void loop(Member.Plain plain) {
    loop("from_ + " + plain.offset(), Long.toString(plain.elements()), plain.type().bytes());
  }

  private void loop(Member.Nested nested) {
    loop(
        "from_ + " + nested.offset(), Long.toString(nested.elements()), nested.structure().bytes());
  }

  private void loop(Structure structure, Member.Counted counted) {
    String address = "Native.getLong(from_ + %d)".formatted(counted.offset());
    String count = address + " == 0 ? 0 : " + count(structure, counted);
    loop(address, count, counted.target().bytes());
  }

  private void loop(String address, String count, int bytes) {
    code.add(
        "for (long element_ = %s, left_ = %s; left_ > 0; left_--, element_ += %d) {",
        address, count, bytes);
  }

  /** Reads the number of elements of a counted array of the structure at {@code from_}. */
  static String count(Structure structure, Member.Counted counted) {
    Member.Plain count = (Member.Plain) structure.member(counted.count());
    String accessor = count.type() == Scalar.INT ? "getInt" : "getLong";
    return "Native.%s(from_ + %d)".formatted(accessor, count.offset());
  }

  private static boolean handles(Target target) {
    return target instanceof Target.Structures(Structure structure) && structure.hasHandles();
  }
}
