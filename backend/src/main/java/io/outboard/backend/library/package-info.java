// SPDX-License-Identifier: Apache-2.0
/**
 * The face that a virtualized library has to the backend: the service that opens an instance for a
 * session, and what a session tells it. Libraries and the session meet here, and neither knows the
 * other's classes. The no-op driver for warm-ups lies here too.
 */
package io.outboard.backend.library;
