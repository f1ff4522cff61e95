// SPDX-License-Identifier: Apache-2.0
/**
 * Where a program's backend is. A name from the caller comes first, then variables and files, then
 * the sockets of this machine and the host of a virtual machine. A place counts only if somebody
 * answers there, as far as that can be told.
 */
package io.outboard.client.find;
