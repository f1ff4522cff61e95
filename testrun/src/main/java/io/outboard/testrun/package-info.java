// SPDX-License-Identifier: Apache-2.0
/** Runs tests by name, in part or all of them, and tells a person how far they are. */
package io.outboard.testrun;
