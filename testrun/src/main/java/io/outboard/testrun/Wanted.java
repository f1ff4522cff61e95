// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

/**
 * Something to run.
 *
 * @param name a class, with its package, or a program in C
 * @param method one test of the class, or nothing for all
 * @param tests how many methods it has
 * @param lengthy whether it runs only where that is asked for
 */
record Wanted(String module, String name, String method, int tests, boolean lengthy) {
  static Wanted whole(TestClass type) {
    boolean lengthy = !type.isUsual();
    int tests = (int) type.methods().values().stream().filter(slow -> lengthy || !slow).count();
    return new Wanted(type.module(), type.name(), "", tests, lengthy);
  }

  static Wanted method(TestClass type, String method) {
    return new Wanted(
        type.module(), type.name(), method, 1, type.lengthy() || type.methods().get(method));
  }

  static Wanted program(String name) {
    return new Wanted(Sources.FRONTEND, name, "", 1, false);
  }

  boolean isProgram() {
    return module.equals(Sources.FRONTEND);
  }

  /** As surefire takes it. */
  String pattern() {
    return method.isEmpty() ? name : name + "#" + method;
  }
}
