// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.profile;

import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.LibraryService;
import io.outboard.backend.library.SessionContext;
import io.outboard.cupti.CuptiDriverDispatcher;
import io.outboard.cupti.CuptiDriverLogged;
import io.outboard.cupti.CuptiDriverTable;

/** The profiling library as a library of the backend. */
public final class CuptiService implements LibraryService {
  @Override
  public String library() {
    return CuptiDriverTable.LIBRARY;
  }

  @Override
  public int number() {
    return CuptiDriverTable.ID;
  }

  @Override
  public long kinds() {
    return CuptiDriverTable.KINDS;
  }

  /** It only tells. */
  @Override
  public boolean runsNativeCode(String devices) {
    return false;
  }

  @Override
  public LibraryInstance open(SessionContext context) {
    return LibraryInstance.of(
        context,
        SessionProfile.of(context),
        CuptiDriverDispatcher::new,
        CuptiDriverLogged.STRUCTURES,
        CuptiDriverLogged::new);
  }
}
