// SPDX-License-Identifier: Apache-2.0
/**
 * The outputs of a library: each is written by one small class. The input is the model, and the
 * output is text. The coverage table says how each function of the vendor is served.
 */
package io.outboard.codegen.emit;
