// SPDX-License-Identifier: Apache-2.0
/** Pods that ask for GPUs are given the client and the name of their credentials. */
package io.outboard.kubernetes.pod;
