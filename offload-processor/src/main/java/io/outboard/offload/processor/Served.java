// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.processor;

import java.util.List;

/**
 * The classes by which a backend calls an implementation: the dispatcher, and the service that has
 * it.
 */
final class Served {
  private final Described of;
  private final Codec codec;

  Served(Described of, Codec codec) {
    this.of = of;
    this.codec = codec;
  }

  String dispatcher() {
    String name = of.base() + "Dispatcher";
    Source out = new Source(of);
    out.line("/** Calls an implementation of {@link %s} by numbers. */".formatted(of.source()));
    out.line("public final class %s implements Dispatcher {".formatted(name));
    out.line("private final %s implementation;".formatted(of.source()));
    out.line("/** Calls this one. */");
    out.line("public %s(%s implementation) {".formatted(name, of.source()));
    out.line("this.implementation = implementation;");
    out.line("}");
    out.line("@Override");
    out.line("public int call(int method, ValueReader in, ValueWriter out) throws Exception {");
    out.line("switch (method) {");
    for (int i = 0; i < of.methods().size(); i++) {
      out.line("case %d:".formatted(i));
      out.line("return call%d(in, out);".formatted(i));
    }
    out.line("default:");
    out.line("throw new MalformedValueException(\"there is no method \" + method);");
    out.line("}");
    out.line("}");
    for (int i = 0; i < of.methods().size(); i++) {
      call(out, of.methods().get(i), i);
    }
    out.line("}");
    return out.toString();
  }

  private void call(Source out, Described.Method method, int number) {
    out.line(
        "private int call%d(ValueReader in, ValueWriter out) throws Exception {".formatted(number));
    method
        .parameters()
        .forEach(one -> out.line("%s %s;".formatted(one.type().source(), one.name())));
    out.line("try {");
    method
        .parameters()
        .forEach(one -> out.line("%s = %s;".formatted(one.name(), codec.read(one.type()))));
    out.line("in.end();");
    out.line("} catch (RuntimeException e) {");
    out.line("throw MalformedValueException.of(e);");
    out.line("}");
    out.line("try {");
    String call = "implementation.%s(%s);".formatted(method.name(), method.arguments());
    if (method.result() == null) {
      out.line(call);
    } else {
      out.line("%s result = %s".formatted(method.returned(), call));
      out.line(codec.write(method.result(), "result"));
    }
    out.line("return RETURNED;");
    for (int i = 0; i < method.thrown().size(); i++) {
      out.line("} catch (%s thrown) {".formatted(method.thrown().get(i)));
      out.line("out.clear();");
      out.line("out.of(Dispatcher.text(thrown), Dispatcher.TEXT);");
      out.line("return %d;".formatted(i));
    }
    out.line("} catch (MalformedValueException e) {");
    out.line(
        "throw new IllegalStateException(\"the result cannot be sent: \" + e.getMessage(), e);");
    out.line("}");
    out.line("}");
  }

  /**
   * The service of an implementation: a class in the same package or another.
   *
   * @param provided the types that its constructor takes
   */
  String service(String folder, String implementation, List<String> provided, String name) {
    String prefix = of.folder().isEmpty() ? "" : of.folder() + ".";
    Source out =
        new Source(new Described(folder, of.source(), of.service(), of.methods(), of.types()));
    out.line("/** {@link %s} as a service. */".formatted(implementation));
    out.line("public final class %s implements Service {".formatted(name));
    out.line("/** Makes it, for {@code ServiceLoader}. */");
    out.line("public %s() {}".formatted(name));
    out.line("@Override");
    out.line("public String name() {");
    out.line("return \"%s\";".formatted(of.service()));
    out.line("}");
    out.line("@Override");
    out.line("public String digest() {");
    out.line("return \"%s\";".formatted(of.digest()));
    out.line("}");
    out.line("@Override");
    out.line("public Dispatcher open(Provided provided) {");
    String given =
        String.join(
            ", ", provided.stream().map(type -> "provided.get(%s.class)".formatted(type)).toList());
    out.line(
        "return new %s%sDispatcher(new %s(%s));"
            .formatted(prefix, of.base(), implementation, given));
    out.line("}");
    out.line("}");
    return out.toString();
  }
}
