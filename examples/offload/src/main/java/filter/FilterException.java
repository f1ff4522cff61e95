// SPDX-License-Identifier: Apache-2.0
package filter;

/** A picture that cannot be filtered. */
public final class FilterException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says why. */
  public FilterException(String why) {
    super(why);
  }
}
