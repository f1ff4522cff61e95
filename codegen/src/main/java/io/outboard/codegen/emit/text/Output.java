// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.text;

import java.io.IOException;

/** Where generated text goes. */
public interface Output {
  /** Takes a Java source file by the qualified name of its class. */
  void java(String name, String text) throws IOException;

  /** Takes any other file by its path among the classes. */
  void resource(String path, String text) throws IOException;
}
