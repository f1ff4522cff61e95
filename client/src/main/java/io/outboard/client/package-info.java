// SPDX-License-Identifier: Apache-2.0
/** The client for programs on the JVM: finds a backend, opens a session, issues calls. */
package io.outboard.client;
