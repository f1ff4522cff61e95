// SPDX-License-Identifier: Apache-2.0
/** Documents about machines with remote GPUs, for information systems. */
package io.outboard.openstack.discover;
