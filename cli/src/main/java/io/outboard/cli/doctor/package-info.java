// SPDX-License-Identifier: Apache-2.0
/** {@code outboard doctor}: why a program would not run, or would not run as expected. */
package io.outboard.cli.doctor;
