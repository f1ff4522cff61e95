// SPDX-License-Identifier: Apache-2.0
package io.outboard.spec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the interface that describes a whole library. It may extend one interface a topic; every
 * method of all of them carries {@link Call} or {@link Local}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.SOURCE)
public @interface Library {
  /**
   * Short name, in lower case; names generated files and travels in the handshake (at most 23
   * characters).
   */
  String name();

  /** Number of the library in frames; 1 to 65,535, unique among the libraries of a process. */
  int id();

  /** The vendor's shared object, for example {@code libcuda.so.1}. */
  String soname();

  /**
   * The C type of a device address; a type of 64 bits that the generated header defines, or a
   * pointer.
   */
  String addressType() default "uint64_t";

  /** The C type of a result; a type of 32 bits that the generated header defines. */
  String resultType() default "int";

  /** The kinds of handles that the library has. */
  Kind[] kinds() default {};

  /**
   * Whether a child of a forked process may use the library anew. A child of a process that has
   * used no other is a client of its own; otherwise its calls are {@link Results#notInitialized}.
   */
  boolean survivesFork() default false;

  /**
   * The beginning of the symbols' version nodes, {@code OPENCL_} for example; empty where the
   * vendor's library has none. The list of symbols says the version: 12 stands for 1.2.
   */
  String versionNodes() default "";

  /**
   * Whether handles are pointers to objects in the program's own memory, as the vendor's loader of
   * several libraries wants it. The stubs then translate them by functions that are written by hand
   * (see the generated header of the remote calls).
   */
  boolean objects() default false;

  /**
   * Whether the C functions have no results, as those of OpenGL: they return nothing, or what the
   * last parameter points to where that is {@link Returned}. A result that is no success is kept
   * for the function that asks for it; the one that keeps is written by hand (see the generated
   * header of the remote calls). Null where there is a length is refused, unless it is optional.
   */
  boolean keepsResults() default false;

  /** The vendor's result codes that the machinery itself must be able to return. */
  Results results();
}
