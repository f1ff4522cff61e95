// SPDX-License-Identifier: Apache-2.0
package io.outboard.plugin;

/** A plug-in cannot be used; the message, a predicate of the plug-in, says why. */
final class PlugInException extends Exception {
  private static final long serialVersionUID = 1;

  PlugInException(String message) {
    super(message);
  }
}
