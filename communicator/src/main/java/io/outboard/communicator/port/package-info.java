// SPDX-License-Identifier: Apache-2.0
/**
 * Many connections over one port between a virtual machine and its host. An epoch makes sure that
 * both sides speak of the same ones; each connection is a channel with credit of its own.
 */
package io.outboard.communicator.port;
