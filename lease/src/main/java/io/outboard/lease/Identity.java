// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

/**
 * The user of a lease, as the accounting of grids and clouds names it; each part may be empty.
 *
 * @param type of the consumer: {@link #VM}, {@link #JOB} or {@link #PROCESS}
 * @param id of the consumer: a virtual machine's UUID, a job's number with its cluster
 * @param user the global name, as the subject of a certificate
 * @param fqan the virtual organisation, with group and role
 * @param site the name under which the site is registered
 */
public record Identity(String type, String id, String user, String fqan, String site) {
  /** A virtual machine. */
  public static final String VM = "vm";

  /** A job of a batch system. */
  public static final String JOB = "job";

  /** A process. */
  public static final String PROCESS = "process";

  /** Nobody known. */
  public static final Identity NONE = new Identity("", "", "", "", "");

  /** Checks the type. */
  public Identity {
    if (!type.isEmpty() && !type.equals(VM) && !type.equals(JOB) && !type.equals(PROCESS)) {
      throw new IllegalArgumentException("a consumer is vm, job or process, not '" + type + "'");
    }
  }

  public static Identity of(Form form) {
    return new Identity(
        form.get("consumerType"),
        form.get("consumerId"),
        form.get("user"),
        form.get("fqan"),
        form.get("site"));
  }

  /** Adds it to a row, or a request, of a control connection. */
  public Form into(Form form) {
    return form.with("consumerType", type)
        .with("consumerId", id)
        .with("user", user)
        .with("fqan", fqan)
        .with("site", site);
  }
}
