// SPDX-License-Identifier: Apache-2.0
/**
 * What this installation can serve and reach. Its own libraries and communicators are listed beside
 * those of plug-ins. A plug-in that cannot be used is listed with the reason.
 */
package io.outboard.cli.plugin;
