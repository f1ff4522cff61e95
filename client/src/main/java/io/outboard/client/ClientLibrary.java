// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.cuda.CudaDriverTable;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import java.util.HexFormat;

/**
 * A library that a session may call; a generated table has the values.
 *
 * @param name in the handshake
 * @param id in frames
 * @param level the highest number of a call
 * @param digest of the specification, 16 bytes as hexadecimal digits
 * @param unavailable the library's result where there is no connection
 */
public record ClientLibrary(String name, int id, int level, String digest, int unavailable) {
  /** The CUDA driver interface. */
  public static final ClientLibrary CUDA =
      new ClientLibrary(
          CudaDriverTable.LIBRARY,
          CudaDriverTable.ID,
          CudaDriverTable.LEVEL,
          CudaDriverTable.DIGEST,
          CudaDriverTable.UNAVAILABLE);

  /** What a Hello says of it. */
  public Hello.Library introduction() {
    return new Hello.Library(name, id, level, Bytes.of(HexFormat.of().parseHex(digest)));
  }
}
