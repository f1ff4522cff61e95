// SPDX-License-Identifier: Apache-2.0
/**
 * PTX as it was read: functions, variables, instructions and their operands. The parser fills it
 * and the compiler reads it. Nothing here knows the JVM.
 */
package io.outboard.ptx.model;
