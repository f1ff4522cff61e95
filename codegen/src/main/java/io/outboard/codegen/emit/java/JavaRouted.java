// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Library;
import io.outboard.codegen.model.Structure;

/** A driver over those of several hosts. */
public final class JavaRouted implements Emitter {
  @Override
  public String emit(Library library) {
    Code code = Code.java().add(Notice.java(library));
    code.add(
        """

        import io.outboard.wire.Hosts;
        import io.outboard.wire.Native;
        import java.util.List;

        /**
         * A {@link %1$s} over those of several hosts: each call goes to the one that its handles,
         * devices or addresses belong to, else to that of the thread's context. Handles of two
         * hosts in one call are refused. Calls that concern several hosts at once are written by
         * hand, in a class that extends this one.
         */
        %2$s
        public abstract class %1$sRouted implements %1$s {
        /** Tells whose things are. */
        protected final Hosts hosts;

        private final List<%1$s> drivers;

        /** Routes to {@code drivers}, by the numbers of the hosts. */
        protected %1$sRouted(Hosts hosts, List<? extends %1$s> drivers) {
        this.hosts = hosts;
        this.drivers = List.copyOf(drivers);
        }

        /** The driver of a host. */
        protected final %1$s driver(int host) {
        return drivers.get(host);
        }

        /** How many hosts there are. */
        protected final int hostCount() {
        return drivers.size();
        }
        """,
        library.interfaceName(), Notice.annotation(library));
    String bodies = library.interfaceName() + "Bodies";
    library
        .calls()
        .forEach(function -> new JavaRoutedCall(bodies, library.results(), function).emit(code));
    JavaRoutedStructures structures = new JavaRoutedStructures(code);
    library.structures().stream()
        .filter(structure -> structure.hasHandles() || structure.hasOrdinals())
        .forEach(structures::emit);
    return code.add("}").toString();
  }

  /** Name of the method that returns whose the handles of a structure are. */
  static String hosts(Structure structure) {
    return "hosts" + structure.name();
  }

  /** Name of the method that renumbers the devices of a structure. */
  static String renumber(Structure structure) {
    return "renumber" + structure.name();
  }
}
