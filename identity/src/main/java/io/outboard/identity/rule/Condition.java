// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.rule;

/**
 * A claim that has to be there.
 *
 * @param claim its name
 * @param pattern one of its values is as this says
 */
record Condition(String claim, ClaimPattern pattern) {
  @Override
  public String toString() {
    return claim + " = " + pattern;
  }
}
