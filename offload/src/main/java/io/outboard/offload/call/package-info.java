// SPDX-License-Identifier: Apache-2.0
/** Calls as generated code makes them, whoever carries them. */
package io.outboard.offload.call;
