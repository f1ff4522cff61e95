// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.codegen.model.HandleUse;
import io.outboard.codegen.model.Layout;
import io.outboard.codegen.model.Member;
import io.outboard.codegen.model.OrdinalUse;
import io.outboard.codegen.model.Structure;
import io.outboard.codegen.model.Target;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.In;
import io.outboard.spec.Ordinal;
import io.outboard.spec.Scalar;
import io.outboard.spec.Size;
import io.outboard.spec.Struct;
import io.outboard.spec.Union;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/** Reads records with {@link Struct} and lays them out by C's rules. */
final class StructureReader {
  private final HandleReader handles;
  private final Problems problems;
  private final Map<String, Structure> known = new LinkedHashMap<>();
  private final List<String> open = new ArrayList<>();

  StructureReader(HandleReader handles, Problems problems) {
    this.handles = handles;
    this.problems = problems;
  }

  /** All structures read so far, each after those that it contains. */
  List<Structure> structures() {
    return List.copyOf(known.values());
  }

  /** Reads a structure; empty if it is none, which is reported. */
  Optional<Structure> read(TypeElement type, Element user) {
    Struct struct = type.getAnnotation(Struct.class);
    String key = type.getQualifiedName().toString();
    if (type.getKind() != ElementKind.RECORD || struct == null) {
      problems.error(user, "%s is not a record with @Struct", type.getSimpleName());
      return Optional.empty();
    }
    if (open.contains(key)) {
      problems.error(user, "%s contains itself", type.getSimpleName());
      return Optional.empty();
    }
    Structure structure = known.get(key);
    if (structure == null) {
      open.add(key);
      structure = new Body(type).read(struct);
      open.removeLast();
      String name = structure.name();
      if (known.values().stream().anyMatch(other -> other.name().equals(name))) {
        problems.error(type, "another structure has the C name %s", name);
      }
      known.put(key, structure);
    }
    return Optional.of(structure);
  }

  /** One structure being laid out. */
  private final class Body {
    private final TypeElement type;
    private final List<Member> members = new ArrayList<>();
    private int bytes;
    private int alignment = 1;

    Body(TypeElement type) {
      this.type = type;
    }

    Structure read(Struct struct) {
      type.getRecordComponents().forEach(this::member);
      checkReferences();
      String name = struct.value().isEmpty() ? type.getSimpleName().toString() : struct.value();
      int size = Layout.align(bytes, alignment);
      if (struct.wireSize() != 0 && struct.wireSize() < size) {
        problems.error(type, "wireSize %d is less than the layout's %d", struct.wireSize(), size);
      }
      if (struct.wireSize() % alignment != 0) {
        problems.error(type, "wireSize %d is not a multiple of %d", struct.wireSize(), alignment);
      }
      if (struct.sized()) {
        checkSized(struct);
      }
      return new Structure(
          name,
          List.copyOf(members),
          size,
          alignment,
          Math.max(size, struct.wireSize()),
          struct.sized());
    }

    private void checkSized(Struct struct) {
      boolean begins =
          !members.isEmpty()
              && members.getFirst() instanceof Member.Plain plain
              && plain.type() == Scalar.INT
              && plain.count() == 0;
      if (!begins || struct.wireSize() != 0) {
        problems.error(type, "a sized structure begins with an int and has no wireSize");
      }
    }

    private void member(RecordComponentElement component) {
      String name = component.getSimpleName().toString();
      TypeMirror type = component.asType();
      Scalar scalar = Annotations.scalar(type);
      if (component.getAnnotation(Union.class) != null) {
        union(component, name);
      } else if (scalar == Scalar.LONG && component.getAnnotation(In.class) != null) {
        counted(component, name);
      } else if (scalar != Scalar.NONE) {
        scalars(component, name, scalar, 0);
      } else if (type.getKind() == TypeKind.ARRAY) {
        array(component, name, ((ArrayType) type).getComponentType());
      } else if (type.getKind() == TypeKind.DECLARED) {
        nested(component, name, element(type), 0);
      } else {
        problems.error(component, "%s: a member of type %s cannot be described", name, type);
      }
    }

    private void scalars(Element component, String name, Scalar scalar, int count) {
      HandleUse handle = handles.read(component);
      boolean address = component.getAnnotation(DevicePointer.class) != null;
      if ((handle.present() || address) && scalar != Scalar.LONG) {
        problems.error(component, "%s: handles and device pointers are long", name);
      }
      checkUse(component, handle);
      int at = place(scalar.bytes() * Math.max(1, count), scalar.bytes());
      members.add(
          new Member.Plain(name, at, scalar, count, handle, address, ordinal(component, scalar)));
    }

    private Optional<OrdinalUse> ordinal(Element component, Scalar scalar) {
      Ordinal ordinal = component.getAnnotation(Ordinal.class);
      if (ordinal != null && scalar != Scalar.INT) {
        problems.error(component, "the number of a device is an int");
      }
      return Optional.ofNullable(ordinal).map(o -> new OrdinalUse(o.tag(), o.is()));
    }

    private void checkUse(Element component, HandleUse handle) {
      if (handle.creates() || handle.destroys() || !handle.parent().isEmpty()) {
        problems.error(component, "a handle in a structure is used and nothing else");
      }
    }

    private void array(Element component, String name, TypeMirror element) {
      Size size = component.getAnnotation(Size.class);
      if (size == null || size.value() < 1) {
        problems.error(component, "%s: an array member needs @Size of 1 or more", name);
        return;
      }
      Scalar scalar = Annotations.scalar(element);
      if (scalar != Scalar.NONE) {
        scalars(component, name, scalar, size.value());
      } else if (element.getKind() == TypeKind.DECLARED) {
        nested(component, name, element(element), size.value());
      } else {
        problems.error(component, "%s: an array of %s cannot be described", name, element);
      }
    }

    private void nested(Element component, String name, TypeElement type, int count) {
      StructureReader.this
          .read(type, component)
          .ifPresent(
              structure -> {
                if (structure.wireBytes() != structure.bytes()) {
                  problems.error(component, "%s: a nested structure has no wireSize", name);
                }
                int at = place(structure.bytes() * Math.max(1, count), structure.alignment());
                members.add(new Member.Nested(name, at, structure, count));
              });
    }

    private void counted(Element component, String name) {
      In in = component.getAnnotation(In.class);
      Optional<Target> target =
          Annotations.type(in::struct)
              .map(type -> StructureReader.this.read(type, component).map(this::structures))
              .orElseGet(() -> scalars(in));
      if (target.isEmpty() || in.count().isEmpty() || !in.bytes().isEmpty()) {
        problems.error(
            component, "%s: a pointer member needs @In with a value or struct, and a count", name);
        return;
      }
      HandleUse handle = handles.read(component);
      checkUse(component, handle);
      if (handle.present() && !target.get().equals(new Target.Scalars(Scalar.LONG))) {
        problems.error(component, "%s: handles are @In(LONG)", name);
      }
      int at = place(8, 8);
      members.add(new Member.Counted(name, at, target.get(), in.count(), handle));
    }

    private Target structures(Structure structure) {
      return new Target.Structures(structure);
    }

    private Optional<Target> scalars(In in) {
      return in.value() == Scalar.NONE
          ? Optional.empty()
          : Optional.of(new Target.Scalars(in.value()));
    }

    private void union(Element component, String name) {
      Union union = component.getAnnotation(Union.class);
      TypeElement choice = element(component.asType());
      if (choice == null || choice.getPermittedSubclasses().isEmpty()) {
        problems.error(component, "%s: a union is a sealed interface of records", name);
        return;
      }
      List<Member.Case> cases = new ArrayList<>();
      for (TypeMirror permitted : choice.getPermittedSubclasses()) {
        readCase(element(permitted), component).ifPresent(cases::add);
      }
      int largest = cases.stream().mapToInt(c -> c.structure().bytes()).max().orElse(1);
      int strictest = cases.stream().mapToInt(c -> c.structure().alignment()).max().orElse(1);
      if (union.size() != 0 && union.size() < largest) {
        problems.error(component, "%s: size %d is less than %d", name, union.size(), largest);
      }
      int size = Layout.align(Math.max(union.size(), largest), strictest);
      int at = place(size, strictest);
      members.add(new Member.Choice(name, at, size, union.tag(), List.copyOf(cases)));
    }

    private Optional<Member.Case> readCase(TypeElement type, Element component) {
      Union.Case tags = type.getAnnotation(Union.Case.class);
      if (tags == null || tags.value().length == 0) {
        problems.error(component, "%s: a member of a union has @Case", type.getSimpleName());
        return Optional.empty();
      }
      Optional<Structure> structure = StructureReader.this.read(type, component);
      if (structure.filter(Structure::hasPointers).isPresent()) {
        problems.error(
            component, "%s: counted pointers cannot lie in a union", type.getSimpleName());
      }
      String simple = type.getSimpleName().toString();
      String name = Character.toLowerCase(simple.charAt(0)) + simple.substring(1);
      List<Integer> values = Arrays.stream(tags.value()).boxed().toList();
      return structure.map(s -> new Member.Case(name, values, s));
    }

    private void checkReferences() {
      for (Member member : members) {
        switch (member) {
          case Member.Counted counted -> checkInteger(counted.name(), counted.count());
          case Member.Choice choice -> checkInteger(choice.name(), choice.tag());
          case Member.Plain plain ->
              plain
                  .ordinal()
                  .filter(ordinal -> !ordinal.tag().isEmpty())
                  .ifPresent(ordinal -> checkInteger(plain.name(), ordinal.tag()));
          case Member.Nested _ -> {}
        }
      }
    }

    private void checkInteger(String user, String name) {
      boolean found =
          members.stream()
              .anyMatch(
                  m ->
                      m instanceof Member.Plain p
                          && p.name().equals(name)
                          && p.count() == 0
                          && (p.type() == Scalar.INT || p.type() == Scalar.LONG));
      if (!found) {
        problems.error(type, "%s: \"%s\" is not an int or long member", user, name);
      }
    }

    private int place(int size, int align) {
      int at = Layout.align(bytes, align);
      bytes = at + size;
      alignment = Math.max(alignment, align);
      return at;
    }
  }

  private static TypeElement element(TypeMirror type) {
    return type instanceof DeclaredType declared ? (TypeElement) declared.asElement() : null;
  }
}
