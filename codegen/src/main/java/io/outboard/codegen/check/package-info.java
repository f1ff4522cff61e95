// SPDX-License-Identifier: Apache-2.0
/** Reads an annotated interface into the model and reports everything that is wrong with it. */
package io.outboard.codegen.check;
