// SPDX-License-Identifier: Apache-2.0
/**
 * The Java half of the {@code outboard} command: its parser, its help and its manual page. The
 * other half is shell ({@code cli/sh}), for what builds and what starts a program without a virtual
 * machine in between. Each topic has a package of commands.
 */
package io.outboard.cli;
