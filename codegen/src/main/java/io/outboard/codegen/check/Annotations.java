// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.check;

import io.outboard.spec.Scalar;
import java.util.Optional;
import java.util.function.Supplier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.MirroredTypeException;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/** Reads class-valued elements of annotations, which exist as types only while compiling. */
final class Annotations {
  private Annotations() {}

  /** Returns the class that an element names; empty for {@code void.class}. */
  static Optional<TypeElement> type(Supplier<Class<?>> element) {
    try {
      throw new IllegalStateException("a class at compile time: " + element.get());
    } catch (MirroredTypeException e) {
      TypeMirror mirror = e.getTypeMirror();
      return mirror.getKind() == TypeKind.DECLARED
          ? Optional.of((TypeElement) ((DeclaredType) mirror).asElement())
          : Optional.empty();
    }
  }

  /** Returns the scalar of a primitive type, or {@code NONE}. */
  static Scalar scalar(TypeMirror type) {
    return switch (type.getKind()) {
      case BYTE -> Scalar.BYTE;
      case SHORT -> Scalar.SHORT;
      case INT -> Scalar.INT;
      case LONG -> Scalar.LONG;
      case FLOAT -> Scalar.FLOAT;
      case DOUBLE -> Scalar.DOUBLE;
      default -> Scalar.NONE;
    };
  }
}
