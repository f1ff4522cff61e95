// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.cuda.CudaDriverTable;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import java.util.HexFormat;
import java.util.function.IntPredicate;

/**
 * A library that a session may call; a generated table has the values.
 *
 * @param name in the handshake
 * @param id in frames
 * @param level the highest number of a call
 * @param digest of the specification, 16 bytes as hexadecimal digits
 * @param unavailable the library's result where there is no connection
 * @param lasting the results after which each later call of a lane fails too
 */
public record ClientLibrary(
    String name, int id, int level, String digest, int unavailable, IntPredicate lasting) {
  /** The CUDA driver interface. */
  public static final ClientLibrary CUDA =
      new ClientLibrary(
          CudaDriverTable.LIBRARY,
          CudaDriverTable.ID,
          CudaDriverTable.LEVEL,
          CudaDriverTable.DIGEST,
          CudaDriverTable.UNAVAILABLE,
          CudaDriverTable::lasts);

  /** A library without results that last. */
  public ClientLibrary(String name, int id, int level, String digest, int unavailable) {
    this(name, id, level, digest, unavailable, _ -> false);
  }

  /** Its entry in a Hello. */
  public Hello.Library introduction() {
    return new Hello.Library(name, id, level, Bytes.of(HexFormat.of().parseHex(digest)));
  }
}
