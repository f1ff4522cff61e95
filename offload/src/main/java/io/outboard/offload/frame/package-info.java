// SPDX-License-Identifier: Apache-2.0
/** The frames of an offloading connection (PROTOCOL.md, Offloaded code). */
package io.outboard.offload.frame;
