// SPDX-License-Identifier: Apache-2.0
/**
 * The Java half of the {@code outboard} command. The other half is shell ({@code cli/sh}): what
 * builds, and what must start a program without a virtual machine in between.
 */
package io.outboard.cli;
