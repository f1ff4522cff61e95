// SPDX-License-Identifier: Apache-2.0
/**
 * One instruction to bytecode. Each family of instructions has an emitter, which leaves what it
 * does not know to the next. An instruction that no emitter knows is unsupported.
 */
package io.outboard.ptx.emit;
