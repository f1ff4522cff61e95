// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit;

import io.outboard.codegen.emit.c.CExports;
import io.outboard.codegen.emit.c.CFunctions;
import io.outboard.codegen.emit.c.CGates;
import io.outboard.codegen.emit.c.CHeader;
import io.outboard.codegen.emit.c.CRemoteHeader;
import io.outboard.codegen.emit.c.CStubs;
import io.outboard.codegen.emit.c.CSymbols;
import io.outboard.codegen.emit.java.JavaBodies;
import io.outboard.codegen.emit.java.JavaDispatcher;
import io.outboard.codegen.emit.java.JavaForwarding;
import io.outboard.codegen.emit.java.JavaLogged;
import io.outboard.codegen.emit.java.JavaMetered;
import io.outboard.codegen.emit.java.JavaNative;
import io.outboard.codegen.emit.java.JavaRemote;
import io.outboard.codegen.emit.java.JavaRouted;
import io.outboard.codegen.emit.java.JavaTable;
import io.outboard.codegen.emit.java.JavaTopics;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Output;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The outputs of a library. */
public final class Emitters {
  private Emitters() {}

  /** Writes them all. */
  public static void emit(Library library, Output output) throws IOException {
    for (Map.Entry<String, Emitter> entry : resources(library).entrySet()) {
      String path = "META-INF/outboard/" + library.name() + "/" + entry.getKey();
      output.resource(path, entry.getValue().emit(library));
    }
    for (Map.Entry<String, Emitter> entry : classes(library).entrySet()) {
      output.java(library.qualifiedName() + entry.getKey(), entry.getValue().emit(library));
    }
  }

  private static Map<String, Emitter> resources(Library library) {
    Map<String, Emitter> emitters = new LinkedHashMap<>();
    emitters.put(library.name() + ".h", new CHeader());
    emitters.put(library.name() + ".remote.h", new CRemoteHeader());
    emitters.put("functions.h", new CFunctions());
    emitters.put("stubs.c", new CStubs());
    emitters.put("symbols.c", new CSymbols());
    if (library.hasEntries()) {
      emitters.put("entries.c", new CGates());
    }
    emitters.put("exports.map", new CExports());
    emitters.put("coverage.md", new Coverage());
    return emitters;
  }

  private static Map<String, Emitter> classes(Library library) {
    Map<String, Emitter> emitters = new LinkedHashMap<>();
    emitters.put("Table", new JavaTable());
    emitters.put("Bodies", new JavaBodies());
    emitters.put("Forwarding", new JavaForwarding());
    emitters.put("Logged", new JavaLogged());
    if (library.calls().stream().anyMatch(Function::metered)) {
      emitters.put("Metered", new JavaMetered());
    }
    emitters.put("Topics", new JavaTopics());
    emitters.put("Dispatcher", new JavaDispatcher());
    emitters.put("Native", new JavaNative());
    emitters.put("Remote", new JavaRemote());
    if (!library.objects()) {
      emitters.put("Routed", new JavaRouted());
    }
    return emitters;
  }
}
