// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.wire.Handles;
import io.outboard.wire.Native;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The toy library in C: the generated stubs on a runtime that calls back into this process, bound
 * by the generated binding.
 */
final class CToy extends ToyNative {
  private static final Path RUNTIME = Path.of("..", "frontend", "runtime");
  private static final Path GENERATED = Path.of("target/classes/META-INF/outboard/toy");
  private static final Path LIBRARY = Path.of("target/libtoy.so.1").toAbsolutePath();

  /** The library is built once; empty where there is no compiler. */
  private static final class Built {
    static final boolean DONE = build();
    static final SymbolLookup LOOKUP =
        DONE ? old(SymbolLookup.libraryLookup(LIBRARY, Arena.global())) : null;

    /** A toy that lacks a function. */
    private static SymbolLookup old(SymbolLookup whole) {
      return name -> name.equals("toyFuture") ? Optional.empty() : whole.find(name);
    }
  }

  CToy(LoopbackCaller caller, ToyLog log) {
    super(Built.LOOKUP);
    connect(new Upcalls(caller, log));
  }

  /** Whether there is a compiler. */
  static boolean canBeBuilt() {
    return Built.DONE;
  }

  private static boolean build() {
    try {
      Process process =
          new ProcessBuilder(
                  "gcc",
                  "-std=c11",
                  "-D_GNU_SOURCE",
                  "-Wall",
                  "-Wextra",
                  "-Werror",
                  "-O1",
                  "-shared",
                  "-fPIC",
                  "-fvisibility=hidden",
                  "-I" + RUNTIME,
                  "-I" + GENERATED,
                  GENERATED.resolve("stubs.c").toString(),
                  GENERATED.resolve("symbols.c").toString(),
                  "src/test/c/loopback.c",
                  RUNTIME.resolve("observe/call_text.c").toString(),
                  "-Wl,--no-undefined",
                  "-o",
                  LIBRARY.toString())
              .inheritIO()
              .start();
      if (process.waitFor() != 0) {
        throw new IllegalStateException("the toy library does not compile");
      }
      return Files.exists(LIBRARY);
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int toyImage(long image, long length) {
    return (int)
        call(
            "loopback_image", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG), image, length);
  }

  /** The handle that was retired last. */
  static long retired() {
    return (long) call("loopback_retired", FunctionDescriptor.of(JAVA_LONG));
  }

  /** Calls a symbol that takes a stream and a number. */
  static int post(String symbol, long stream, int value) {
    return (int) call(symbol, FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT), stream, value);
  }

  private static Object call(String symbol, FunctionDescriptor type, Object... arguments) {
    try {
      return downcall(symbol, type).invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static void connect(Upcalls upcalls) {
    long table = ToySession.memory(56);
    Native.putLong(
        table,
        upcalls.stub(
            "send",
            FunctionDescriptor.of(
                JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT)));
    Native.putLong(table + 8, upcalls.stub("reply", FunctionDescriptor.of(JAVA_LONG)));
    Native.putLong(table + 16, upcalls.stub("replyBytes", FunctionDescriptor.of(JAVA_INT)));
    Native.putLong(table + 24, upcalls.stub("mint", FunctionDescriptor.of(JAVA_LONG, JAVA_INT)));
    Native.putLong(
        table + 32,
        upcalls.stub("plausible", FunctionDescriptor.of(JAVA_BOOLEAN, JAVA_LONG, JAVA_LONG)));
    Native.putLong(table + 40, upcalls.stub("largestPart", FunctionDescriptor.of(JAVA_LONG)));
    Native.putLong(table + 48, upcalls.stub("logged", FunctionDescriptor.ofVoid(JAVA_LONG)));
    call("loopback_connect", FunctionDescriptor.ofVoid(JAVA_LONG), table);
  }

  /** The functions that the runtime calls. */
  static final class Upcalls {
    private final LoopbackCaller caller;
    private final ToyLog log;

    Upcalls(LoopbackCaller caller, ToyLog log) {
      this.caller = caller;
      this.log = log;
    }

    int send(int number, long body, int bytes, long payload, long payloadBytes, int flags) {
      return caller.send(
          number,
          LoopbackCaller.read(body, bytes),
          LoopbackCaller.read(payload, payloadBytes),
          flags);
    }

    long reply() {
      return caller.reply();
    }

    int replyBytes() {
      return caller.replyBytes();
    }

    long mint(int kind) {
      return caller.mint(kind);
    }

    void logged(long text) {
      log.program(ToySession.textAt(text));
    }

    long largestPart() {
      return caller.largestPart();
    }

    boolean plausible(long handle, long kinds) {
      return caller.handles().resolve(handle, kinds) != Handles.INVALID;
    }

    long stub(String name, FunctionDescriptor type) {
      try {
        MethodType methodType = type.toMethodType();
        MethodHandle method = MethodHandles.lookup().bind(this, name, methodType);
        return Linker.nativeLinker().upcallStub(method, type, Arena.global()).address();
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(name, e);
      }
    }
  }
}
