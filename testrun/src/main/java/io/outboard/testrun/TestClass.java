// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.util.Map;

/**
 * A class of tests in the sources.
 *
 * @param name with its package
 * @param lengthy whether all of it runs only where that is asked for
 * @param methods its tests; the value says whether that one is lengthy
 */
record TestClass(String module, String name, boolean lengthy, Map<String, Boolean> methods) {
  String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Whether a run without the lengthy tests runs any of it. */
  boolean isUsual() {
    return !lengthy && methods.containsValue(false);
  }
}
