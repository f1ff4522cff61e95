// SPDX-License-Identifier: Apache-2.0
package faces;

/** Pixels that are no picture. */
public final class NoPictureException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says why. */
  public NoPictureException(String why) {
    super(why);
  }
}
