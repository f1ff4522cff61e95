// SPDX-License-Identifier: Apache-2.0
/**
 * Lists the libraries and communicators of this installation. Its own libraries and communicators
 * are listed beside those of plug-ins. A plug-in that cannot be used is listed with the reason.
 */
package io.outboard.cli.plugin;
