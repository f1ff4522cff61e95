// SPDX-License-Identifier: Apache-2.0
/**
 * Plug-ins: jars in a folder, which offer libraries and communicators beside this build's own. Each
 * has a class loader of its own; an error of one is reported as its own, and the others go on.
 */
package io.outboard.plugin;
