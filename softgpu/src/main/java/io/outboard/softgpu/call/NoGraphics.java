// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import io.outboard.cuda.CudaGraphics;

/** Its processors know nothing of OpenGL: a session that has both adds what they share. */
public final class NoGraphics implements CudaGraphics {}
