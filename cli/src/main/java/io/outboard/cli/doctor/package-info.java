// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code doctor}: why a program would not run, or would run otherwise than expected.
 * Each check looks at one thing and reports a finding. Files are read and programs are not run.
 */
package io.outboard.cli.doctor;
