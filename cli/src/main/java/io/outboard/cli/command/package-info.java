// SPDX-License-Identifier: Apache-2.0
/**
 * Shared by commands: how a backend is named, how people write sizes and times, and errors without
 * a stack trace. A failure ends a command with status 1. Its message names the remedy.
 */
package io.outboard.cli.command;
