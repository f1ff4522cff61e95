// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import io.outboard.spec.Holds;
import io.outboard.spec.Kind;
import io.outboard.spec.Library;
import io.outboard.spec.Results;

/** A library that has every kind of parameter and structure, for tests of the machinery. */
@Library(
    name = "toy",
    id = 1000,
    soname = "libtoy.so.1",
    addressType = "toyAddress",
    resultType = "toyResult",
    kinds = {
      @Kind(
          id = ToyKinds.STREAM,
          name = "stream",
          type = "toyStream",
          holds = Holds.WORK,
          invalid = ToyResult.INVALID_STREAM,
          specials = {0, 1, 2, -1},
          perThread = 2),
      @Kind(
          id = ToyKinds.BUFFER,
          name = "buffer",
          type = "toyBuffer",
          holds = Holds.MEMORY,
          invalid = ToyResult.INVALID_BUFFER),
      @Kind(
          id = ToyKinds.NODE,
          name = "node",
          type = "toyNodeHandle",
          holds = Holds.NOTHING,
          invalid = ToyResult.INVALID_NODE)
    },
    results =
        @Results(
            invalidValue = ToyResult.INVALID_VALUE,
            notSupported = ToyResult.NOT_SUPPORTED,
            notInitialized = ToyResult.NOT_INITIALIZED,
            unavailable = ToyResult.UNAVAILABLE,
            outOfMemory = ToyResult.OUT_OF_MEMORY,
            versionMismatch = ToyResult.VERSION_MISMATCH))
public interface Toy extends ToyData, ToyObjects, ToyStructures {}
