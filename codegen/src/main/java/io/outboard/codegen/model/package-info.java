// SPDX-License-Identifier: Apache-2.0
/**
 * A library as the generator sees it: read once from the annotated interface, checked, and never
 * changed afterwards. Emitters see nothing else.
 */
package io.outboard.codegen.model;
