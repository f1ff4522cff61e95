// SPDX-License-Identifier: Apache-2.0
/** The objects of Kubernetes that are Outboard's: leases, and the words on pods. */
package io.outboard.kubernetes.resource;
