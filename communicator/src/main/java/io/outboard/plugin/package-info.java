// SPDX-License-Identifier: Apache-2.0
/**
 * Plug-ins: jars in a folder, which offer libraries and communicators beside this build's own. Each
 * has a class loader of its own; what is wrong with one is said of that one, and the others go on.
 */
package io.outboard.plugin;
