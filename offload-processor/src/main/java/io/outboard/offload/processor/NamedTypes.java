// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.processor;

import io.outboard.offload.Most;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Types;

/** Reads the types of values, and keeps those that have a name. */
final class NamedTypes {
  private static final int MOST_CONSTANTS = 256;

  private static final Set<String> BOXES =
      Set.of(
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Short",
          "java.lang.Character",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Float",
          "java.lang.Double");

  private final Types types;
  private final Map<String, ValueType.Content> contents = new LinkedHashMap<>();

  NamedTypes(Types types) {
    this.types = types;
  }

  /** Those that were met, in that order. */
  Map<String, ValueType.Content> contents() {
    return contents;
  }

  /** The type of a parameter, a result or a component. */
  ValueType of(TypeMirror type, Element at) {
    Most most = at.getAnnotation(Most.class);
    if (most != null && most.value() < 1) {
      throw new WrongSource(at, "@Most is at least 1");
    }
    return of(type, most == null ? Most.USUAL : most.value(), at);
  }

  private ValueType of(TypeMirror type, int bound, Element at) {
    if (type.getKind().isPrimitive()) {
      return new ValueType.Scalar(type.toString().replaceAll(".* ", ""), false);
    }
    if (type.getKind() == TypeKind.ARRAY) {
      return array((ArrayType) type, bound, at);
    }
    if (type.getKind() != TypeKind.DECLARED) {
      throw refused(type, at);
    }
    return declared((DeclaredType) type, bound, at);
  }

  private ValueType array(ArrayType type, int bound, Element at) {
    TypeMirror element = type.getComponentType();
    boolean generic =
        element.getKind() == TypeKind.DECLARED
            && !((DeclaredType) element).getTypeArguments().isEmpty();
    if (generic) {
      throw new WrongSource(at, "an array of a generic type does not travel: take a List");
    }
    return new ValueType.Array(of(element, bound, at), bound);
  }

  private ValueType declared(DeclaredType type, int bound, Element at) {
    TypeElement element = (TypeElement) type.asElement();
    String name = element.getQualifiedName().toString();
    List<? extends TypeMirror> arguments = type.getTypeArguments();
    if (BOXES.contains(name)) {
      return new ValueType.Scalar(types.unboxedType(type).toString(), true);
    }
    return switch (name) {
      case "java.lang.String" -> new ValueType.Text(bound);
      case "java.util.List" -> new ValueType.Sequence(argument(arguments, 0, bound, at), bound);
      case "java.util.Optional" -> new ValueType.Maybe(argument(arguments, 0, bound, at));
      case "java.util.Map" ->
          new ValueType.Table(
              argument(arguments, 0, bound, at), argument(arguments, 1, bound, at), bound);
      default -> named(element, type, at);
    };
  }

  private ValueType argument(
      List<? extends TypeMirror> arguments, int number, int bound, Element at) {
    if (arguments.size() <= number) {
      throw new WrongSource(at, "a list, a map or an optional says of what it is");
    }
    return of(arguments.get(number), bound, at);
  }

  private ValueType.Named named(TypeElement element, TypeMirror type, Element at) {
    ValueType.Named named = new ValueType.Named(element.getQualifiedName().toString());
    if (contents.containsKey(named.source())) {
      return named;
    }
    if (!element.getTypeParameters().isEmpty()) {
      throw new WrongSource(at, type + " is generic, and does not travel");
    }
    if (element.getKind() == ElementKind.ENUM) {
      contents.put(named.source(), constants(element));
    } else if (element.getKind() == ElementKind.RECORD) {
      // It may have itself inside.
      contents.put(named.source(), new ValueType.Components(List.of()));
      contents.put(named.source(), components(element));
    } else if (element.getModifiers().contains(Modifier.SEALED)
        && element.getKind().isInterface()) {
      contents.put(named.source(), new ValueType.Alternatives(List.of()));
      contents.put(named.source(), alternatives(element));
    } else {
      throw refused(type, at);
    }
    return named;
  }

  private static WrongSource refused(TypeMirror type, Element at) {
    return new WrongSource(
        at,
        type
            + " does not travel: primitives, arrays, strings, enums, records, sealed interfaces,"
            + " List, Map and Optional do");
  }

  private static ValueType.Constants constants(TypeElement element) {
    List<String> names = new ArrayList<>();
    for (Element inside : element.getEnclosedElements()) {
      if (inside.getKind() == ElementKind.ENUM_CONSTANT) {
        names.add(inside.getSimpleName().toString());
      }
    }
    if (names.isEmpty() || names.size() > MOST_CONSTANTS) {
      throw new WrongSource(element, "an enum that travels has 1 to 256 constants");
    }
    return new ValueType.Constants(names);
  }

  private ValueType.Components components(TypeElement element) {
    List<ValueType.Component> all = new ArrayList<>();
    for (RecordComponentElement one : element.getRecordComponents()) {
      all.add(new ValueType.Component(one.getSimpleName().toString(), of(one.asType(), one)));
    }
    return new ValueType.Components(all);
  }

  private ValueType.Alternatives alternatives(TypeElement element) {
    List<ValueType.Named> all = new ArrayList<>();
    for (TypeMirror permitted : element.getPermittedSubclasses()) {
      TypeElement one = (TypeElement) ((DeclaredType) permitted).asElement();
      all.add(named(one, permitted, element));
    }
    if (all.size() > MOST_CONSTANTS) {
      throw new WrongSource(element, "a sealed interface that travels permits at most 256 types");
    }
    return new ValueType.Alternatives(all);
  }
}
