// SPDX-License-Identifier: Apache-2.0
/** What information systems read of machines with remote GPUs. */
package io.outboard.openstack.discover;
