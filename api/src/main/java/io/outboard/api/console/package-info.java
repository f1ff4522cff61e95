// SPDX-License-Identifier: Apache-2.0
/**
 * A console for browsers: its files, which are served to whom; what it shows, sampled and in pages;
 * and the streams by which that stays live.
 */
package io.outboard.api.console;
