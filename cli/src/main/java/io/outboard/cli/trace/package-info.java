// SPDX-License-Identifier: Apache-2.0
/** The content of a program's trace: sums for people and programs, and a timeline to look at. */
package io.outboard.cli.trace;
