// SPDX-License-Identifier: Apache-2.0
/**
 * PTX text made ready to run: a module of kernels and variables. {@link io.outboard.ptx.PtxModule}
 * is the door: it reads a text, compiles a kernel when it is first launched, and runs grids. The
 * module uses nothing but the JDK.
 */
package io.outboard.ptx;
