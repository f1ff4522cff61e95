// SPDX-License-Identifier: Apache-2.0
/**
 * The process that runs the code of one client: it loads a jar, and calls a service in it. The code
 * counts as hostile, and so does the client.
 */
package io.outboard.backend.code;
