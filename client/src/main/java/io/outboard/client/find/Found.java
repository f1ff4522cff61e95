// SPDX-License-Identifier: Apache-2.0
package io.outboard.client.find;

import io.outboard.communicator.Endpoint;

/**
 * A backend that was found.
 *
 * @param endpoint where it is
 * @param where what named it: a variable, a file, a socket
 */
public record Found(Endpoint endpoint, String where) {}
