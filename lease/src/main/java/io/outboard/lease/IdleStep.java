// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.util.Locale;

/** The steps against a lease that is not used, in this order. */
public enum IdleStep {
  /** Its state says so. */
  MARK,
  /** Somebody is told. */
  NOTIFY,
  /** The state of its programs on devices is put aside, and others may have the devices. */
  SUSPEND,
  /** It ends. */
  REVOKE;

  /** Its name for people. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
