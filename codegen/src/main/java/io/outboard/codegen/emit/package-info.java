// SPDX-License-Identifier: Apache-2.0
/** One small class an output; what goes in is the model and what comes out is text. */
package io.outboard.codegen.emit;
