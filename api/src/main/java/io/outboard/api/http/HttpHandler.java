// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import java.util.Optional;

/** Answers requests; of an {@code HttpServer}. */
public interface HttpHandler {
  /** Has a request done; returns what is answered. */
  Reply handle(Request request);

  /** The answer to a request that is not read, because too many others are at work. */
  Reply tooBusy();

  /** Whether a request asks for the state of the server, and is answered however busy that is. */
  boolean isHealth(Request request);

  /** Most bytes of the body of a stranger's request. */
  default int mostBytes() {
    return Request.MOST_BYTES;
  }

  /** The client at the other end, if it has proven who it is: it takes no stranger's place. */
  Optional<String> known(Origin origin);
}
