// SPDX-License-Identifier: Apache-2.0
/**
 * Dynamic resource allocation (Kubernetes, {@code resource.k8s.io/v1}): the pool as slices, and
 * leases for claims that the scheduler has given some of it.
 */
package io.outboard.kubernetes.claim;
