// SPDX-License-Identifier: Apache-2.0
/** Where calls run: decided by what they have taken here and there. */
package io.outboard.offload.decide;
