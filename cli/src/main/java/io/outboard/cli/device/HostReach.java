// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.device;

/**
 * The part of its worker's memory on the host that a kernel can reach, though nobody has given it.
 */
public enum HostReach {
  /** Nothing. */
  NONE("", ""),
  /** Nobody knows: OpenCL has no question that a host's driver must answer. */
  UNKNOWN(
      "it is not known whether a kernel can read all memory of its worker: OpenCL does not say it",
      "'--device nvidia' or '--device software' leaves OpenCL out"),
  /**
   * All: the driver maps the process's pageable memory for the device (CUDA Driver API, {@code
   * CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS}).
   */
  PAGEABLE(
      "a kernel can read and write all memory of its worker, since the driver maps pageable memory"
          + " (HMM or ATS)",
      "with HMM, a line 'options nvidia_uvm uvm_disable_hmm=1' in /etc/modprobe.d ends that once"
          + " nvidia_uvm is loaded anew; with ATS, as on Grace, nothing does"),
  /** All: kernels are code of the worker's own process. */
  PROCESS(
      "a kernel can read and write all memory of its worker, as it runs in that process",
      "'--device nvidia' or '--device software' leaves OpenCL out");

  private final String fact;
  private final String remedy;

  HostReach(String fact, String remedy) {
    this.fact = fact;
    this.remedy = remedy;
  }

  /** Returns the fact and its remedy. */
  public String text() {
    return fact + "; " + remedy;
  }

  /** Returns the fact. */
  public String fact() {
    return fact;
  }

  /** Whether all memory is known to be in reach. */
  public boolean isAll() {
    return this == PAGEABLE || this == PROCESS;
  }
}
