// SPDX-License-Identifier: Apache-2.0
/** The host's own EGL and OpenGL. */
package io.outboard.gl.vendor;
