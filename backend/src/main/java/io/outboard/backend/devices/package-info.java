// SPDX-License-Identifier: Apache-2.0
/**
 * Which devices a session gets, and how they are opened: the vendor's driver or software GPUs. It
 * says what each library shows of them. The output of devices is captured here.
 */
package io.outboard.backend.devices;
