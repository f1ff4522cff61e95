// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.processor;

import java.util.Locale;

/** The callers of an interface: the remote, the twin that does not wait, and the chooser. */
final class Callers {
  private final Described of;
  private final Codec codec;

  Callers(Described of, Codec codec) {
    this.of = of;
    this.codec = codec;
  }

  String async() {
    Source out = new Source(of);
    out.line("import java.util.concurrent.CompletableFuture;");
    out.line("/** The methods of {@link %s} without the wait. */".formatted(of.source()));
    out.line("public interface %sAsync {".formatted(of.base()));
    for (Described.Method method : of.methods()) {
      out.line("/** As the method without {@code Async}; to cancel it cancels the call. */");
      out.line("%s;".formatted(asyncHead(method)));
    }
    out.line("}");
    return out.toString();
  }

  private static String asyncHead(Described.Method method) {
    return "CompletableFuture<%s> %sAsync(%s)"
        .formatted(method.boxed(), method.name(), method.declaredParameters());
  }

  private static String constant(Described.Method method, int number) {
    return method.name().toUpperCase(Locale.ROOT) + "_" + number;
  }

  String remote() {
    String name = of.base() + "Remote";
    Source out = new Source(of);
    out.line("import java.util.concurrent.CompletableFuture;");
    out.line("/** {@link %s} on a backend. */".formatted(of.source()));
    out.line(
        "public final class %s implements %s, %sAsync {".formatted(name, of.source(), of.base()));
    out.line("/** The name of the service. */");
    out.line("public static final String SERVICE = \"%s\";".formatted(of.service()));
    out.line("/** The SHA-256 of the encodings. */");
    out.line("public static final String DIGEST =");
    out.line("\"%s\";".formatted(of.digest()));
    for (int i = 0; i < of.methods().size(); i++) {
      described(out, of.methods().get(i), i);
    }
    out.line("private final Caller caller;");
    out.line("private %s(Caller caller) {".formatted(name));
    out.line("this.caller = caller;");
    out.line("}");
    out.line("/** Its methods on a backend. */");
    out.line("public static %s of(Offloader offloader) {".formatted(name));
    out.line("return new %s(offloader.caller(SERVICE, DIGEST));".formatted(name));
    out.line("}");
    for (int i = 0; i < of.methods().size(); i++) {
      remote(out, of.methods().get(i), i);
    }
    out.line("}");
    return out.toString();
  }

  private void described(Source out, Described.Method method, int number) {
    out.line(
        "static final OffloadMethod<%s> %s = new OffloadMethod<>("
            .formatted(method.boxed(), constant(method, number)));
    String result = method.result() == null ? "null" : codec.read(method.result());
    out.line(
        "%d, \"%s\", %s, in -> %s, (number, text) -> {"
            .formatted(number, method.name(), method.repeatable(), result));
    out.line("switch (number) {");
    for (int i = 0; i < method.thrown().size(); i++) {
      out.line("case %d:".formatted(i));
      out.line("return new %s(text);".formatted(method.thrown().get(i)));
    }
    out.line("default:");
    out.line("throw new MalformedValueException(\"there is no exception \" + number);");
    out.line("}");
    out.line("});");
  }

  private void remote(Source out, Described.Method method, int number) {
    String constant = constant(method, number);
    out.line(
        "private ValueWriter arguments%d(%s) {".formatted(number, method.declaredParameters()));
    out.line("ValueWriter out = caller.arguments();");
    method.parameters().forEach(one -> out.line(codec.write(one.type(), one.name())));
    out.line("return out;");
    out.line("}");
    out.line("@Override");
    out.line(
        "public %s %s(%s)%s {"
            .formatted(
                method.returned(), method.name(), method.declaredParameters(), method.declared()));
    out.line(
        "Answered<%s> result = caller.call(%s, arguments%d(%s));"
            .formatted(method.boxed(), constant, number, method.arguments()));
    for (String thrown : method.thrown()) {
      out.line("if (result.exception() instanceof %s) {".formatted(thrown));
      out.line("throw (%s) result.exception();".formatted(thrown));
      out.line("}");
    }
    if (method.result() != null) {
      out.line("return result.value();");
    }
    out.line("}");
    out.line("@Override");
    out.line("public %s {".formatted(asyncHead(method)));
    out.line(
        "return caller.begin(%s, arguments%d(%s));"
            .formatted(constant, number, method.arguments()));
    out.line("}");
  }

  String chooser() {
    String name = of.base() + "Chooser";
    Source out = new Source(of);
    out.line(
        "/** {@link %s} here or on a backend, as it is decided for each call. */"
            .formatted(of.source()));
    out.line("public final class %s implements %s {".formatted(name, of.source()));
    out.line("private final Choice choice;");
    out.line("private final %s remote;".formatted(of.source()));
    out.line("private final %s local;".formatted(of.source()));
    out.line("private %s(Choice choice, %s remote, %2$s local) {".formatted(name, of.source()));
    out.line("this.choice = choice;");
    out.line("this.remote = remote;");
    out.line("this.local = local;");
    out.line("}");
    out.line("/** Its methods on a backend, or those of an implementation here. */");
    out.line("public static %s of(Offloader offloader, %s local) {".formatted(name, of.source()));
    out.line(
        "return new %s(offloader.choice(), %sRemote.of(offloader), local);"
            .formatted(name, of.base()));
    out.line("}");
    for (int i = 0; i < of.methods().size(); i++) {
      choose(out, of.methods().get(i), of.base() + "Remote." + constant(of.methods().get(i), i));
    }
    out.line("}");
    return out.toString();
  }

  private void choose(Source out, Described.Method method, String constant) {
    out.line("@Override");
    out.line(
        "public %s %s(%s)%s {"
            .formatted(
                method.returned(), method.name(), method.declaredParameters(), method.declared()));
    StringBuilder size = new StringBuilder("0L");
    method.parameters().forEach(one -> size.append(" + ").append(Sizes.of(one)));
    out.line("long size = %s;".formatted(size));
    out.line("long begin = System.nanoTime();");
    out.line("if (choice.isRemote(%s, size)) {".formatted(constant));
    out.line("try {");
    run(out, method, constant, true);
    out.line("} catch (OffloadException failure) {");
    out.line("choice.fallBack(%s, failure);".formatted(constant));
    out.line("begin = System.nanoTime();");
    out.line("}");
    out.line("}");
    run(out, method, constant, false);
    out.line("}");
  }

  /** The time of the call is told once it has returned. */
  private static void run(Source out, Described.Method method, String constant, boolean remote) {
    String call = "%s(%s);".formatted(method.name(), method.arguments());
    String where = remote ? "remote." : "local.";
    boolean none = method.result() == null;
    out.line((none ? "" : method.returned() + " result = ") + where + call);
    out.line("choice.ended(%s, size, %s, System.nanoTime() - begin);".formatted(constant, remote));
    if (!none || remote) {
      out.line(none ? "return;" : "return result;");
    }
  }
}
