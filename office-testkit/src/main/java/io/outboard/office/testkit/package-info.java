// SPDX-License-Identifier: Apache-2.0
/** A lease office to ask, for the tests of adapters. */
package io.outboard.office.testkit;
