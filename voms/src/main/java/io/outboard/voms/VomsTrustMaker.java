// SPDX-License-Identifier: Apache-2.0
package io.outboard.voms;

import io.outboard.identity.proxy.Grid;
import io.outboard.identity.proxy.GridTrust;
import java.io.IOException;
import java.time.InstantSource;

/** The service by which grids are known. */
public final class VomsTrustMaker implements GridTrust.Maker {
  @Override
  public GridTrust open(Grid grid) throws IOException {
    return new VomsTrust(grid, InstantSource.system());
  }
}
