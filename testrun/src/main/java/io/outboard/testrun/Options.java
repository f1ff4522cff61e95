// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.util.ArrayList;
import java.util.List;

/**
 * What somebody asked for.
 *
 * @param quick the contributor's two minutes
 * @param lengthy the lengthy tests too
 * @param names the tests to run; none is all
 */
record Options(boolean quick, boolean lengthy, List<String> names) {
  /**
   * Reads them.
   *
   * @throws Usage they mean nothing
   */
  static Options parse(String... arguments) throws Usage {
    boolean quick = false;
    boolean lengthy = false;
    List<String> names = new ArrayList<>();
    for (String argument : arguments) {
      switch (argument) {
        case "--quick" -> quick = true;
        case "--long" -> lengthy = true;
        default -> names.add(name(argument));
      }
    }
    if (quick && (lengthy || !names.isEmpty())) {
      throw new Usage("--quick goes with no other argument");
    }
    return new Options(quick, lengthy, List.copyOf(names));
  }

  private static String name(String argument) throws Usage {
    if (argument.startsWith("-")) {
      throw new Usage("test has no option " + argument);
    }
    if (argument.isEmpty()) {
      throw new Usage("the name of a test is empty");
    }
    return argument;
  }
}
