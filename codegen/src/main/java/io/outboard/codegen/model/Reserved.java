// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import java.util.Optional;

/**
 * A range of device addresses that a call hands out.
 *
 * @param pointer the parameter with its beginning
 * @param bytes its length; empty if the frontend asks for it
 * @param undo the call that takes it back
 * @param in the stream in whose order it comes, or empty
 */
public record Reserved(String pointer, Optional<Expression> bytes, String undo, String in) {}
