// SPDX-License-Identifier: Apache-2.0
package album;

/** A picture is none. */
public final class AlbumException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says why. */
  public AlbumException(String message) {
    super(message);
  }
}
