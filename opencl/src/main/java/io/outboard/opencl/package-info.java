// SPDX-License-Identifier: Apache-2.0
/**
 * OpenCL as a library of Outboard: its functions by topic, with what each call carries. The
 * processor generates the stubs, the dispatcher and the binding from them. Functions that are not
 * described are refused with OpenCL's own errors.
 */
package io.outboard.opencl;
