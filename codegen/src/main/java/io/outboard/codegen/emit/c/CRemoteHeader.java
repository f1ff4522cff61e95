// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.c;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Kind;
import io.outboard.codegen.model.Library;
import java.util.Locale;

/** The header of the generated C for a library's hand-written C. */
public final class CRemoteHeader implements Emitter {
  @Override
  public String emit(Library library) {
    CTypes types = new CTypes(library);
    Code code = Code.c().add(Notice.c(library));
    code.add(
        """
        #ifndef OUTBOARD_%2$s_REMOTE_H
        #define OUTBOARD_%2$s_REMOTE_H

        #include "outboard.h"
        %3$s#include "%1$s.h"

        #pragma GCC visibility push(hidden)

        extern const ob_library ob_%1$s;

        /* A symbol of the vendor's library by the name and version that programs ask for. */
        struct ob_symbol {
        const char *base;
        uint32_t version;
        bool per_thread;
        void *function;
        };

        /* In order of base, version and per_thread. */
        extern const struct ob_symbol ob_%1$s_symbols[];
        extern const size_t ob_%1$s_symbol_count;

        """,
        library.name(), library.name().toUpperCase(Locale.ROOT), named(library));
    if (library.hasEntries()) {
      entries(code, library);
    }
    if (library.keepsResults()) {
      code.add(
          """
          /* Written by hand: keeps a result that is no success. */
          void %1$s_keep(int32_t result);
          /* How many values there are behind an address, by a name of the library's. */
          int %1$s_values(int name);

          """,
          library.name());
    }
    library.kinds().forEach(kind -> code.add(kind(library, kind)));
    if (library.objects()) {
      objects(code, library);
      COwners.declare(code, library);
    }
    if (library.calls().stream().anyMatch(Function::deviceWork)) {
      work(code, library);
    }
    CEntries.declare(code, library);
    code.add(
        """

        /* Each call as it travels. The flags are OB_PER_THREAD and OB_ORDERED or 0. Those of hand-written
         * symbols take a handle that is made as they find it: 0 mints one, anything else was minted before. */
        """);
    library.calls().forEach(call -> code.add(types.remote(call, "remote") + ";"));
    library.calls().stream()
        .filter(call -> call.settles() && call.parameters().size() < 2)
        .forEach(call -> settled(code, library, types, call));
    return code.add(
            """

            #pragma GCC visibility pop

            #endif
            """)
        .toString();
  }

  /** The library's own C has the functions under names of its own, behind the symbols. */
  private static String named(Library library) {
    return library.hasEntries()
        ? """

        #include <stdatomic.h>

        #ifndef OUTBOARD_%s_SYMBOLS
        #define OUTBOARD_NAMED(symbol) __asm__(symbol)
        #endif
        """
            .formatted(library.name().toUpperCase(Locale.ROOT))
        : "";
  }

  private static void entries(Code code, Library library) {
    code.add(
        """
        /* What a symbol looks at first, in bits: its result before the library is initialised, what it needs, whether it tells of lost
         * work, which captures prohibit it, whether it is given a stream, puts work into that, and is to find freed memory free. */
        enum ob_entry {
        OB_ENTRY_BEFORE = 0x3ff,
        OB_ENTRY_NEED = 7 << 10, OB_ENTRY_DRIVER = 1 << 10, OB_ENTRY_QUIET = 2 << 10,
        OB_ENTRY_CONTEXT = 3 << 10, OB_ENTRY_OLDER = 4 << 10,
        OB_ENTRY_LOST = 1 << 13,
        OB_ENTRY_CAPTURE = 7 << 14, OB_ENTRY_UNSAFE = 1 << 14, OB_ENTRY_ELSEWHERE = 2 << 14,
        OB_ENTRY_STREAM = 3 << 14, OB_ENTRY_BOTH = 4 << 14, OB_ENTRY_WAITING = 5 << 14,
        OB_ENTRY_ENDING = 6 << 14, OB_ENTRY_LEGACY = 7 << 14,
        OB_ENTRY_STREAMED = 1 << 17, OB_ENTRY_WORK = 1 << 18,
        OB_ENTRY_KEPT = 1 << 19,
        };

        /* Written by hand: 0 where nothing but a missing context can hinder a call; and what hinders one, or 0. */
        extern _Atomic uint32_t %1$s_unusual;
        int32_t %1$s_enter(uint32_t entry, const void *stream);
        /* Written by hand: 0 where a context of the older forms is current. */
        int32_t %1$s_older(void);
        /* The capture of that stream, if it is captured, has failed. */
        void %1$s_ends_capture(const void *stream);
        /* Whether it is memory of both sides. */
        bool %1$s_is_managed(%2$s address);
        /* OB_ANSWER where it is not known that all of this is memory of a device or of both sides, else 0. */
        uint32_t %1$s_doubt(%2$s address, uint64_t bytes);
        /* OB_ANSWER where it depends on captures what an event is good for, else 0. */
        uint32_t %1$s_doubt_event(int flags);
        /* After a fill that is in the order of no stream that the program names: it is done where the program sees the memory. */
        int32_t %1$s_filled(%2$s address, uint64_t bytes, uint32_t flags);
        /* The backend may ask for a function of the program from now on. */
        void %1$s_note_callback(void);

        """,
        library.name(), library.addressType());
    if (!library.callbacks().isEmpty()) {
      code.add(
          """
          /* Written by hand: tells the tool that observes the process of a call. */
          void %s_observe(ob_observed *call);

          """,
          library.name());
    }
  }

  /** For who has seen in another way that a wait would be over. */
  private static void settled(Code code, Library library, CTypes types, Function call) {
    code.add(
        """

        /* The thread's last call has seen done what this one waits for. */
        static inline %s {
        ob_note_settled(&ob_%s, %d, %s, flags_);
        }
        """,
        types.remote(call, "settled").replaceFirst("^int32_t", "void"),
        library.name(),
        call.number(),
        call.parameters().stream()
            .map(parameter -> "(uint64_t)(uintptr_t)" + parameter.name())
            .findFirst()
            .orElse("0"));
  }

  private static void objects(Code code, Library library) {
    code.add(
        """

        /* Written by hand: the program's objects. The handle behind one, 0 for none; UINT64_MAX if it is none of these kinds. */
        uint64_t %1$s_handle(const void *object, uint64_t kinds);
        /* Those behind a list, until the thread asks for the next one of the same place; NULL if one is none of these kinds. */
        const uint64_t *%1$s_handles(const void *objects, uint64_t bytes, uint64_t kinds, uint32_t place);
        /* The object of a handle, which is made if need be; the first one that the call was given, or NULL. NULL for 0, and without memory. */
        void *%1$s_object(uint32_t kind, uint64_t handle, void *first);
        """,
        library.name());
  }

  private static void work(Code code, Library library) {
    code.add(
        """

        /* Written by hand: whether somebody watches work of devices; then what to do before a call that asks for some, or else waits
         * for some, behind one that has asked, and after one that may have seen some done, whose result is the other's then. */
        extern bool %1$s_work_watched;
        void %1$s_work_begins(bool asks);
        void %1$s_work_begun(void);
        int32_t %1$s_work_seen(void);

        static inline bool %1$s_work_is_watched(void) {
        return __builtin_expect(__atomic_load_n(&%1$s_work_watched, __ATOMIC_RELAXED), 0);
        }
        """,
        library.name());
  }

  private static String kind(Library library, Kind kind) {
    return "enum { OB_%s_%s = %d };"
        .formatted(
            library.name().toUpperCase(Locale.ROOT),
            kind.name().toUpperCase(Locale.ROOT),
            kind.id());
  }
}
