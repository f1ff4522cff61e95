// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.processor;

import java.util.List;

/** The caller that shares the work of split methods among several workers. */
final class Splitter {
  private final Described of;

  Splitter(Described of) {
    this.of = of;
  }

  String source() {
    String name = of.base() + "Split";
    Source out = new Source(of);
    out.line(
        "/** {@link %s} on several workers, which share the split methods. */"
            .formatted(of.source()));
    out.line("public final class %s implements %s {".formatted(name, of.source()));
    out.line("private final List<%s> workers;".formatted(of.source()));
    out.line("private %s(List<%s> workers) {".formatted(name, of.source()));
    out.line("this.workers = workers;");
    out.line("}");
    out.line(
        "/** Its methods on these, at least one; those that are not split run on the first. */");
    out.line("public static %s of(List<? extends Offloader> workers) {".formatted(name));
    out.line("List<%s> parts = new ArrayList<>();".formatted(of.source()));
    out.line("for (Offloader one : workers) {");
    out.line("parts.add(%sRemote.of(one));".formatted(of.base()));
    out.line("}");
    out.line("if (parts.isEmpty()) {");
    out.line("throw new IllegalArgumentException(\"there are no workers\");");
    out.line("}");
    out.line("return new %s(parts);".formatted(name));
    out.line("}");
    of.methods().forEach(method -> method(out, method));
    out.line("}");
    return out.toString();
  }

  private static void method(Source out, Described.Method method) {
    out.line("@Override");
    out.line(
        "public %s %s(%s)%s {"
            .formatted(
                method.returned(), method.name(), method.declaredParameters(), method.declared()));
    if (method.split().isEmpty()) {
      String call = "workers.get(0).%s(%s);".formatted(method.name(), method.arguments());
      out.line(method.result() == null ? call : "return " + call);
    } else {
      split(out, method);
    }
    out.line("}");
  }

  private static void split(Source out, Described.Method method) {
    String over = method.split().get(0);
    List<String> arguments =
        method.parameters().stream()
            .map(ValueType.Component::name)
            .map(name -> name.equals(over) ? "part" : name)
            .toList();
    out.line("List<%s> parts;".formatted(method.boxed()));
    out.line("try {");
    out.line(
        "parts = SplitCall.over(workers, %s, (worker, part) -> worker.%s(%s));"
            .formatted(over, method.name(), String.join(", ", arguments)));
    for (String thrown : method.thrown()) {
      out.line("} catch (%s thrown) {".formatted(thrown));
      out.line("throw thrown;");
    }
    out.line("} catch (RuntimeException thrown) {");
    out.line("throw thrown;");
    out.line("} catch (Exception thrown) {");
    out.line("throw new IllegalStateException(thrown);");
    out.line("}");
    join(out, method);
  }

  private static void join(Source out, Described.Method method) {
    boolean sum = method.split().get(1).equals("SUM");
    String type = method.returned();
    out.line("%s joined = %s;".formatted(type, sum ? "0" : "new ArrayList<>()"));
    out.line("for (%s one : parts) {".formatted(type));
    out.line(sum ? "joined += one;" : "joined.addAll(one);");
    out.line("}");
    out.line("return joined;");
  }
}
