// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import java.util.List;

/**
 * An option among an engine's words.
 *
 * @param name {@code --name}, or {@code -n} for one of a single letter that has a value, or several
 *     letters without one
 * @param value its value; empty: none
 * @param words as it stands there: one word, or two
 */
record EngineOption(String name, String value, List<String> words) {}
