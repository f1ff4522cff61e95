// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.processor;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;

/**
 * An offloaded interface.
 *
 * @param folder its package; empty for the unnamed one
 * @param source its name in sources of its package
 * @param service by which a backend finds it
 */
record Described(
    String folder,
    String source,
    String service,
    List<Method> methods,
    Map<String, ValueType.Content> types) {
  /**
   * A method.
   *
   * @param split the parameter over which it is split, and how results are joined; empty for none
   * @param result null for none
   * @param thrown the names of its declared exceptions
   */
  record Method(
      String name,
      boolean repeatable,
      List<String> split,
      List<ValueType.Component> parameters,
      ValueType result,
      List<String> thrown) {
    /** Its encoding. */
    String form() {
      String returned = result == null ? "void" : result.form();
      return name
          + parameters.stream().map(one -> one.type().form()).toList()
          + returned
          + thrown
          + repeatable;
    }

    /** The type of its result in sources. */
    String returned() {
      return result == null ? "void" : result.source();
    }

    /** The same as an argument of a generic type. */
    String boxed() {
      if (result == null) {
        return "Void";
      }
      return result instanceof ValueType.Scalar scalar
          ? new ValueType.Scalar(scalar.primitive(), true).source()
          : result.source();
    }

    /** Its exceptions as a method declares them. */
    String declared() {
      return thrown.isEmpty() ? "" : " throws " + String.join(", ", thrown);
    }

    /** Its parameters as a method declares them. */
    String declaredParameters() {
      return String.join(
          ", ", parameters.stream().map(one -> one.type().source() + " " + one.name()).toList());
    }

    /** The names of its parameters. */
    String arguments() {
      return String.join(", ", parameters.stream().map(ValueType.Component::name).toList());
    }
  }

  /** The beginning of generated classes of it. */
  String base() {
    return source.replace(".", "");
  }

  /** The SHA-256 of all encodings. */
  String digest() {
    StringBuilder text = new StringBuilder(service).append('\n');
    methods.forEach(method -> text.append(method.form()).append('\n'));
    types.forEach((name, type) -> text.append(name).append(type.form()).append('\n'));
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      StringBuilder digits = new StringBuilder();
      for (byte one : digest) {
        digits.append(String.format("%02x", one));
      }
      return digits.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
