// SPDX-License-Identifier: Apache-2.0
/** What a trace of a program has in it: sums for people and programs, and a timeline to look at. */
package io.outboard.cli.trace;
