// SPDX-License-Identifier: Apache-2.0
/**
 * The Java half: dispatcher, binding, client, decorators and tables. A dispatcher decodes and
 * checks all of a request before it issues the call. Lengths are computed in 64 bits, and one that
 * is out of range stays so.
 */
package io.outboard.codegen.emit.java;
