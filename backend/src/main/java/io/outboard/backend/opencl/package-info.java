// SPDX-License-Identifier: Apache-2.0
/**
 * The backend's work around the host's OpenCL library: the chain of decorators for a session, and
 * its warm-up. The decorators themselves lie in the module opencl.
 */
package io.outboard.backend.opencl;
