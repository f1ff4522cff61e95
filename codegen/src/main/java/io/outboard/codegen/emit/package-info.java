// SPDX-License-Identifier: Apache-2.0
/**
 * The outputs of a library: each is written by one small class. What goes in is the model, and what
 * comes out is text. The coverage table says how each function of the vendor is served.
 */
package io.outboard.codegen.emit;
