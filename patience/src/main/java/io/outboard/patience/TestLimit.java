// SPDX-License-Identifier: Apache-2.0
package io.outboard.patience;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Gives each test method a limit, so that one which waits for ever is an error. Those of tests with
 * very many cases say a longer one themselves.
 */
public final class TestLimit implements LauncherSessionListener {
  private static final String PARAMETER = "junit.jupiter.execution.timeout.default";
  private static final long MINUTES = 30;

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    System.setProperty(PARAMETER, MINUTES * Slowness.FACTOR + " m");
    System.out.println(Slowness.words());
  }
}
