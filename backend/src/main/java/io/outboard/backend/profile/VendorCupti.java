// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.profile;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.cupti.CuptiResult;
import io.outboard.cupti.RecordForm;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The functions of the host's CUPTI that the worker calls; results are those of {@code
 * CUptiResult}.
 */
final class VendorCupti {
  private static final Linker LINKER = Linker.nativeLinker();

  /** A symbol of the library that stands in for the vendor's in programs. */
  private static final String OWN = "outboard_cupti";

  private final SymbolLookup library;
  private final MethodHandle version;
  private final MethodHandle register;
  private final MethodHandle enable;
  private final MethodHandle disable;
  private final MethodHandle push;
  private final MethodHandle pop;
  private final MethodHandle flush;
  private final MethodHandle next;
  private final MethodHandle time;
  private final MethodHandle dropped;
  private final MethodHandle context;
  private final MethodHandle stream;
  // By what has a number, from graphs on; null where the version has none.
  private final MethodHandle[] graphs;

  /**
   * Binds the functions.
   *
   * @throws IllegalArgumentException if the file is no such library
   */
  VendorCupti(String file) {
    library = SymbolLookup.libraryLookup(file, Arena.global());
    if (library.find(OWN).isPresent()) {
      throw new IllegalArgumentException("it is Outboard's own, for programs");
    }
    version = bind("cuptiGetVersion", JAVA_LONG);
    register = bind("cuptiActivityRegisterCallbacks", JAVA_LONG, JAVA_LONG);
    enable = bind("cuptiActivityEnable", JAVA_INT);
    disable = bind("cuptiActivityDisable", JAVA_INT);
    push = bind("cuptiActivityPushExternalCorrelationId", JAVA_INT, JAVA_LONG);
    pop = bind("cuptiActivityPopExternalCorrelationId", JAVA_INT, JAVA_LONG);
    flush = bind("cuptiActivityFlushAll", JAVA_INT);
    next = bind("cuptiActivityGetNextRecord", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    time = bind("cuptiGetTimestamp", JAVA_LONG);
    dropped = bind("cuptiActivityGetNumDroppedRecords", JAVA_LONG, JAVA_INT, JAVA_LONG);
    context = bind("cuptiGetContextId", JAVA_LONG, JAVA_LONG);
    stream = bind("cuptiGetStreamIdEx", JAVA_LONG, JAVA_LONG, JAVA_BYTE, JAVA_LONG);
    graphs =
        Stream.of("cuptiGetGraphId", "cuptiGetGraphExecId", "cuptiGetGraphNodeId")
            .map(name -> find(name, JAVA_LONG, JAVA_LONG).orElse(null))
            .toArray(MethodHandle[]::new);
  }

  private MethodHandle bind(String name, MemoryLayout... arguments) {
    return find(name, arguments)
        .orElseThrow(() -> new IllegalArgumentException("it has no function " + name));
  }

  private Optional<MethodHandle> find(String name, MemoryLayout... arguments) {
    FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, arguments);
    return library.find(name).map(function -> LINKER.downcallHandle(function, type));
  }

  /** The version, to an address. */
  int version(long to) {
    try {
      return (int) version.invokeExact(to);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** Functions that give buffers and take them. */
  int register(long requested, long completed) {
    try {
      return (int) register.invokeExact(requested, completed);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  int enable(int kind) {
    try {
      return (int) enable.invokeExact(kind);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  int disable(int kind) {
    try {
      return (int) disable.invokeExact(kind);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** Leaves a function of the driver out of the records; older libraries record each. */
  void leaveOut(int function) {
    find("cuptiActivityEnableDriverApi", JAVA_INT, JAVA_BYTE)
        .ifPresent(
            handle -> {
              try {
                int unused = (int) handle.invokeExact(function, (byte) 0);
              } catch (Throwable e) {
                throw failure(e);
              }
            });
  }

  int push(int kind, long id) {
    try {
      return (int) push.invokeExact(kind, id);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  int pop(int kind) {
    try {
      return (int) pop.invokeExact(kind, 0L);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  int flush(int flags) {
    try {
      return (int) flush.invokeExact(flags);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** The record behind the one at {@code *record}, which it replaces. */
  int next(long buffer, long valid, long record) {
    try {
      return (int) next.invokeExact(buffer, valid, record);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** Its clock, to an address. */
  int time(long to) {
    try {
      return (int) time.invokeExact(to);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** How many records it has dropped since the last time, to an address. */
  int dropped(long to) {
    try {
      return (int) dropped.invokeExact(0L, 0, to);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** The number of an object ({@link RecordForm#CONTEXT_NUMBER}), to an address. */
  int number(int what, long of, long object, long to) {
    try {
      return switch (what) {
        case RecordForm.CONTEXT_NUMBER -> (int) context.invokeExact(of, to);
        case RecordForm.STREAM_NUMBER -> (int) stream.invokeExact(of, object, (byte) 0, to);
        default -> {
          MethodHandle its = graphs[what - RecordForm.GRAPH_NUMBER];
          yield its == null ? CuptiResult.NOT_SUPPORTED : (int) its.invokeExact(object, to);
        }
      };
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  private static AssertionError failure(Throwable e) {
    return new AssertionError("a function of C does not throw", e);
  }
}
