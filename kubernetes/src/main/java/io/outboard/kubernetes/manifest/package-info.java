// SPDX-License-Identifier: Apache-2.0
/** The objects that a cluster has to have for the adapter. */
package io.outboard.kubernetes.manifest;
