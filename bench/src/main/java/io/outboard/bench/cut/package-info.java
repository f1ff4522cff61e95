// SPDX-License-Identifier: Apache-2.0
/** How long a session takes to go on after its network was away. */
package io.outboard.bench.cut;
