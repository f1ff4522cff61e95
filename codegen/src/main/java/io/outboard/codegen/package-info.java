// SPDX-License-Identifier: Apache-2.0
/**
 * The annotation processor: an interface with {@link io.outboard.spec.Library} is read into a model
 * (package {@code check}, {@code model}), and each output is written by one small emitter (package
 * {@code emit}) that sees nothing but the model.
 */
package io.outboard.codegen;
