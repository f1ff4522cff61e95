// SPDX-License-Identifier: Apache-2.0
package queens;

/** A board that is none. */
public final class BoardException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says why. */
  public BoardException(String why) {
    super(why);
  }
}
