// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.processor;

import java.util.List;

/** A type of values that travel. */
sealed interface ValueType {
  /** Its name in sources. */
  String source();

  /** Its encoding, and the bounds of its lengths; equal texts mean equal bytes. */
  String form();

  /** A primitive, boxed or not. */
  record Scalar(String primitive, boolean boxed) implements ValueType {
    /** The primitive's name as a part of another name. */
    String title() {
      return Character.toUpperCase(primitive.charAt(0)) + primitive.substring(1);
    }

    @Override
    public String source() {
      return !boxed
          ? primitive
          : switch (primitive) {
            case "int" -> "Integer";
            case "char" -> "Character";
            default -> title();
          };
    }

    @Override
    public String form() {
      return primitive;
    }
  }

  /** A string. */
  record Text(int bound) implements ValueType {
    @Override
    public String source() {
      return "String";
    }

    @Override
    public String form() {
      return "text<=" + bound;
    }
  }

  /** An array. */
  record Array(ValueType of, int bound) implements ValueType {
    /** Whether its elements are written at once. */
    boolean isOfPrimitives() {
      return of instanceof Scalar scalar && !scalar.boxed();
    }

    @Override
    public String source() {
      return of.source() + "[]";
    }

    @Override
    public String form() {
      return "array<=" + bound + "(" + of.form() + ")";
    }
  }

  /** A list. */
  record Sequence(ValueType of, int bound) implements ValueType {
    @Override
    public String source() {
      return "List<" + of.source() + ">";
    }

    @Override
    public String form() {
      return "list<=" + bound + "(" + of.form() + ")";
    }
  }

  /** A map. */
  record Table(ValueType key, ValueType value, int bound) implements ValueType {
    @Override
    public String source() {
      return "Map<" + key.source() + ", " + value.source() + ">";
    }

    @Override
    public String form() {
      return "map<=" + bound + "(" + key.form() + "," + value.form() + ")";
    }
  }

  /** An optional. */
  record Maybe(ValueType of) implements ValueType {
    @Override
    public String source() {
      return "Optional<" + of.source() + ">";
    }

    @Override
    public String form() {
      return "optional(" + of.form() + ")";
    }
  }

  /** A type that its name stands for: its content is in {@link NamedTypes}. */
  record Named(String source) implements ValueType {
    @Override
    public String form() {
      return source;
    }
  }

  /** The content of a named type. */
  sealed interface Content {
    /** Its encoding. */
    String form();
  }

  /** The constants of an enum. */
  record Constants(List<String> names) implements Content {
    @Override
    public String form() {
      return "enum" + names;
    }
  }

  /** A component of a record. */
  record Component(String name, ValueType type) {}

  /** The components of a record. */
  record Components(List<Component> all) implements Content {
    @Override
    public String form() {
      return "record" + all.stream().map(one -> one.name + ":" + one.type.form()).toList();
    }
  }

  /** The types that a sealed interface permits. */
  record Alternatives(List<Named> all) implements Content {
    @Override
    public String form() {
      return "sealed" + all.stream().map(Named::form).toList();
    }
  }
}
