// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A virtualized library.
 *
 * @param packageName package of the interface
 * @param interfaceName simple name of the interface
 * @param name short name; names generated files
 * @param id number in frames
 * @param soname the vendor's shared object
 * @param addressType C type of a device address
 * @param resultType C type of a result
 * @param survivesFork whether a child of a forked process may use it anew
 * @param versionNodes what the symbols' version nodes begin with, or empty
 * @param objects whether handles are pointers to objects of the program
 * @param keepsResults whether the C functions have no results
 * @param kinds kinds of handles
 * @param results result codes of the machinery
 * @param functions in order of number; local ones at the end, by name
 * @param structures each after those that it contains
 * @param symbols what the vendor's library exports, and functions of extensions, in order of base
 *     name, version and per-thread; empty where it is not known
 * @param entries what the vendor's functions look at first, by name; empty where it is not known
 * @param callbacks the number of each symbol of which tools are told; empty where they are told of
 *     none
 * @param digest 32 hexadecimal digits over all encodings
 */
public record Library(
    String packageName,
    String interfaceName,
    String name,
    int id,
    String soname,
    String addressType,
    String resultType,
    boolean survivesFork,
    String versionNodes,
    boolean objects,
    boolean keepsResults,
    List<Kind> kinds,
    Results results,
    List<Function> functions,
    List<Structure> structures,
    List<Symbol> symbols,
    Map<String, Entry> entries,
    Map<String, Integer> callbacks,
    String digest) {

  /** The functions that travel. */
  public List<Function> calls() {
    return functions.stream().filter(Function::travels).toList();
  }

  /** The highest number of a call, 0 if there is none. */
  public int level() {
    return calls().stream().mapToInt(Function::number).max().orElse(0);
  }

  /** The kind with a number that is known to exist. */
  public Kind kind(int id) {
    return kinds.stream().filter(kind -> kind.id() == id).findFirst().orElseThrow();
  }

  /** Whether the vendor's library exports a symbol; unknown exports are taken to be so. */
  public boolean exports(String symbol) {
    return symbols.isEmpty() || named(symbol).anyMatch(Symbol::exported);
  }

  /** Whether a symbol is the vendor's, exported or not; where none is known, each is. */
  public boolean knows(String symbol) {
    return symbols.isEmpty() || named(symbol).findAny().isPresent();
  }

  /** Whether a function is of an extension: it has an address of its own with each vendor. */
  public boolean extension(Function function) {
    return knows(function.name()) && !exports(function.name());
  }

  private Stream<Symbol> named(String symbol) {
    return symbols.stream().filter(known -> known.name().equals(symbol));
  }

  /** The exported symbols that no method of the interface describes. */
  public List<Symbol> refused() {
    return symbols.stream()
        .filter(symbol -> functions.stream().noneMatch(f -> f.covers(symbol.name())))
        .toList();
  }

  /** Whether each symbol is an entry that looks at the call first, and then calls the function. */
  public boolean hasEntries() {
    return !entries.isEmpty();
  }

  /** What a function looks at first. */
  public Entry entry(String function) {
    return entries.getOrDefault(function, Entry.OPEN);
  }

  /** Fully qualified name of the interface. */
  public String qualifiedName() {
    return packageName + "." + interfaceName;
  }
}
