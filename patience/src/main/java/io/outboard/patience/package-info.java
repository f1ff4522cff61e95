// SPDX-License-Identifier: Apache-2.0
/** For how long tests wait. */
package io.outboard.patience;
