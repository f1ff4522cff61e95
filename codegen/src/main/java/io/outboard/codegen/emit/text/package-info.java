// SPDX-License-Identifier: Apache-2.0
/**
 * Shared by emitters: text with indented blocks, the notice at the head of a file, and where files
 * go. Signatures describe calls in short texts for both sides' logs. Nothing here knows a
 * language's calls.
 */
package io.outboard.codegen.emit.text;
