// SPDX-License-Identifier: Apache-2.0
/** The toy library, which has every kind of parameter and structure, and fakes for tests. */
package io.outboard.testkit;
