// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.lease;

import java.util.Locale;

/** What is done about a lease that is not used, in this order. */
public enum IdleStep {
  /** Its state says so. */
  MARK,
  /** Somebody is told. */
  NOTIFY,
  /** What its programs have on devices is put aside, and others may have the devices. */
  SUSPEND,
  /** It ends. */
  REVOKE;

  /** Its name for people. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
