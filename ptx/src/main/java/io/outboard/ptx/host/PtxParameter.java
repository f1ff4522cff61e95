// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

/** Where a kernel parameter lies in the parameter buffer; all in bytes. */
public record PtxParameter(int offset, int size, int align) {}
