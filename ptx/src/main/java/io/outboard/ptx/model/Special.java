// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.model;

/** A special register (PTX ISA, "Special Registers"), by its name without the percent sign. */
public record Special(String name) implements Operand.Leaf {}
