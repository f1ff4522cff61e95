// SPDX-License-Identifier: Apache-2.0
/** OpenGL as a library of the backend: the host's own, a thread of which is the client's. */
package io.outboard.backend.gl;
