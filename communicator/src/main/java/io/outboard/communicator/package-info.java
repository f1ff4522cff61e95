// SPDX-License-Identifier: Apache-2.0
/**
 * How a program reaches a backend. An endpoint names a place, and the communicator of its scheme
 * connects there or listens. A plug-in offers a communicator of its own as a service.
 */
package io.outboard.communicator;
