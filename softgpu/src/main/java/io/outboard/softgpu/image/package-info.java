// SPDX-License-Identifier: Apache-2.0
/** Finds the PTX text in what programs hand to the loader: text, containers, device binaries. */
package io.outboard.softgpu.image;
