// SPDX-License-Identifier: Apache-2.0
/** The place of a cloud of OpenStack, and the account with which it is asked. */
package io.outboard.cli.cloud;
