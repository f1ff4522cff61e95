// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.processor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The codec of an interface: two methods for each type that is not one call of a writer's. */
final class Codec {
  private final Described of;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final Map<Integer, ValueType> pending = new LinkedHashMap<>();

  Codec(Described of) {
    this.of = of;
  }

  String name() {
    return of.base() + "Codec";
  }

  /** A statement that writes a value. */
  String write(ValueType type, String value) {
    if (type instanceof ValueType.Scalar scalar) {
      return scalar.boxed()
          ? "out.of((%s) %s);".formatted(scalar.primitive(), value)
          : "out.of(%s);".formatted(value);
    }
    if (type instanceof ValueType.Text text) {
      return "out.of(%s, %d);".formatted(value, text.bound());
    }
    if (type instanceof ValueType.Array array && array.isOfPrimitives()) {
      return "out.of(%s, %d);".formatted(value, array.bound());
    }
    return "%s.write%d(out, %s);".formatted(name(), number(type), value);
  }

  /** An expression that reads a value. */
  String read(ValueType type) {
    if (type instanceof ValueType.Scalar scalar) {
      return "in.of%s()".formatted(scalar.title());
    }
    if (type instanceof ValueType.Text text) {
      return "in.ofString(%d)".formatted(text.bound());
    }
    if (type instanceof ValueType.Array array && array.isOfPrimitives()) {
      String plural = ((ValueType.Scalar) array.of()).title() + "s";
      return "in.of%s(%d)".formatted(plural, array.bound());
    }
    return "%s.read%d(in)".formatted(name(), number(type));
  }

  private int number(ValueType type) {
    String key = type.source() + " " + type.form();
    Integer known = numbers.get(key);
    if (known != null) {
      return known;
    }
    int number = numbers.size();
    numbers.put(key, number);
    pending.put(number, type);
    return number;
  }

  /** The class, with all that others have asked for. */
  String source() {
    Source out = new Source(of);
    out.line("/** Writes and reads the values of {@link %s}. */".formatted(of.source()));
    out.line("final class %s {".formatted(name()));
    out.line("private %s() {}".formatted(name()));
    while (!pending.isEmpty()) {
      int number = pending.keySet().iterator().next();
      emit(out, number, pending.remove(number));
    }
    out.line("}");
    return out.toString();
  }

  private void emit(Source out, int number, ValueType type) {
    if (type instanceof ValueType.Named named) {
      ValueType.Content content = of.types().get(named.source());
      if (content instanceof ValueType.Constants constants) {
        emit(out, number, named, constants);
      } else if (content instanceof ValueType.Components components) {
        emit(out, number, named, components);
      } else {
        emit(out, number, named, (ValueType.Alternatives) content);
      }
    } else if (type instanceof ValueType.Array array) {
      emit(out, number, array);
    } else if (type instanceof ValueType.Sequence list) {
      emit(out, number, list);
    } else if (type instanceof ValueType.Table map) {
      emit(out, number, map);
    } else {
      emit(out, number, (ValueType.Maybe) type);
    }
  }

  private static void beginWrite(Source out, int number, ValueType type) {
    out.line("static void write%d(ValueWriter out, %s value) {".formatted(number, type.source()));
  }

  private static void beginRead(Source out, int number, ValueType type) {
    out.line("static %s read%d(ValueReader in) {".formatted(type.source(), number));
  }

  private void emit(Source out, int number, ValueType.Named type, ValueType.Constants constants) {
    out.line(
        "private static final %1$s[] ALL%2$d = %1$s.values();".formatted(type.source(), number));
    beginWrite(out, number, type);
    out.line("out.u8(value.ordinal());");
    out.line("}");
    beginRead(out, number, type);
    out.line("return ALL%d[in.u8(%d)];".formatted(number, constants.names().size()));
    out.line("}");
  }

  private void emit(Source out, int number, ValueType.Named type, ValueType.Components content) {
    List<ValueType.Component> all = content.all();
    beginWrite(out, number, type);
    out.line("out.enter();");
    if (all.isEmpty()) {
      // Each value has a byte, so that its bytes bound how many there are.
      out.line("out.u8(0);");
    }
    all.forEach(one -> out.line(write(one.type(), "value." + one.name() + "()")));
    out.line("out.leave();");
    out.line("}");
    beginRead(out, number, type);
    out.line("in.enter();");
    if (all.isEmpty()) {
      out.line("int nothing = in.u8(1);");
    }
    for (int i = 0; i < all.size(); i++) {
      out.line("%s part%d = %s;".formatted(all.get(i).type().source(), i, read(all.get(i).type())));
    }
    out.line("in.leave();");
    StringBuilder parts = new StringBuilder();
    for (int i = 0; i < all.size(); i++) {
      parts.append(i == 0 ? "" : ", ").append("part").append(i);
    }
    out.line("return new %s(%s);".formatted(type.source(), parts));
    out.line("}");
  }

  private void emit(Source out, int number, ValueType.Named type, ValueType.Alternatives content) {
    beginWrite(out, number, type);
    for (int i = 0; i < content.all().size(); i++) {
      ValueType.Named one = content.all().get(i);
      out.line("if (value instanceof %s) {".formatted(one.source()));
      out.line("out.u8(%d);".formatted(i));
      out.line(write(one, "(" + one.source() + ") value"));
      out.line("return;");
      out.line("}");
    }
    out.line("throw new NullPointerException(\"a value is null\");");
    out.line("}");
    beginRead(out, number, type);
    out.line("switch (in.u8(%d)) {".formatted(content.all().size()));
    for (int i = 0; i < content.all().size(); i++) {
      out.line("case %d:".formatted(i));
      out.line("return %s;".formatted(read(content.all().get(i))));
    }
    out.line("default:");
    out.line("throw new AssertionError();");
    out.line("}");
    out.line("}");
  }

  private void emit(Source out, int number, ValueType.Array type) {
    beginWrite(out, number, type);
    out.line("out.length(value.length, %d);".formatted(type.bound()));
    out.line("for (%s one : value) {".formatted(type.of().source()));
    out.line(write(type.of(), "one"));
    out.line("}");
    out.line("}");
    beginRead(out, number, type);
    String element = type.of().source();
    int dimensions = element.indexOf('[');
    String base = dimensions < 0 ? element : element.substring(0, dimensions);
    String others = dimensions < 0 ? "" : element.substring(dimensions);
    out.line(
        "%s value = new %s[in.length(%d, 1)]%s;"
            .formatted(type.source(), base, type.bound(), others));
    out.line("for (int i = 0; i < value.length; i++) {");
    out.line("value[i] = %s;".formatted(read(type.of())));
    out.line("}");
    out.line("return value;");
    out.line("}");
  }

  private void emit(Source out, int number, ValueType.Sequence type) {
    beginWrite(out, number, type);
    out.line("%s all = List.copyOf(value);".formatted(type.source()));
    out.line("out.length(all.size(), %d);".formatted(type.bound()));
    out.line("for (%s one : all) {".formatted(type.of().source()));
    out.line(write(type.of(), "one"));
    out.line("}");
    out.line("}");
    beginRead(out, number, type);
    out.line("int length = in.length(%d, 1);".formatted(type.bound()));
    out.line("%s all = new ArrayList<>(length);".formatted(type.source()));
    out.line("for (int i = 0; i < length; i++) {");
    out.line("all.add(%s);".formatted(read(type.of())));
    out.line("}");
    out.line("return Collections.unmodifiableList(all);");
    out.line("}");
  }

  private void emit(Source out, int number, ValueType.Table type) {
    String entry = type.source().replaceFirst("Map<", "Map.Entry<");
    beginWrite(out, number, type);
    out.line("%s all = new LinkedHashMap<>(value);".formatted(type.source()));
    out.line("out.length(all.size(), %d);".formatted(type.bound()));
    out.line("for (%s one : all.entrySet()) {".formatted(entry));
    out.line(write(type.key(), "one.getKey()"));
    out.line(write(type.value(), "one.getValue()"));
    out.line("}");
    out.line("}");
    beginRead(out, number, type);
    out.line("int length = in.length(%d, 2);".formatted(type.bound()));
    out.line("%s all = new LinkedHashMap<>();".formatted(type.source()));
    out.line("for (int i = 0; i < length; i++) {");
    out.line("%s key = %s;".formatted(type.key().source(), read(type.key())));
    out.line("if (all.putIfAbsent(key, %s) != null) {".formatted(read(type.value())));
    out.line("throw new MalformedValueException(\"a key of a map comes twice\");");
    out.line("}");
    out.line("}");
    out.line("return Collections.unmodifiableMap(all);");
    out.line("}");
  }

  private void emit(Source out, int number, ValueType.Maybe type) {
    beginWrite(out, number, type);
    out.line("out.of(value.isPresent());");
    out.line("if (value.isPresent()) {");
    out.line(write(type.of(), "value.get()"));
    out.line("}");
    out.line("}");
    beginRead(out, number, type);
    out.line(
        "return in.ofBoolean() ? Optional.of(%s) : Optional.empty();".formatted(read(type.of())));
    out.line("}");
  }
}
