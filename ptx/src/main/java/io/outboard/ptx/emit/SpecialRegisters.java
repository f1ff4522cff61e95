// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import static java.lang.classfile.Opcode.IAND;
import static java.lang.classfile.Opcode.ISHR;

import io.outboard.ptx.model.Type;
import io.outboard.ptx.run.BlockContext;
import java.lang.classfile.TypeKind;
import java.util.Locale;

/** Pushes special registers. */
final class SpecialRegisters {
  private final Asm asm;

  SpecialRegisters(Asm asm) {
    this.asm = asm;
  }

  /** Pushes register {@code name}; returns its type. */
  Type push(String name) {
    switch (name) {
      case "tid.x" -> threadIndex("tidX");
      case "tid.y" -> threadIndex("tidY");
      case "tid.z" -> threadIndex("tidZ");
      case "ntid.x" -> field("ntidX");
      case "ntid.y" -> field("ntidY");
      case "ntid.z" -> field("ntidZ");
      case "ctaid.x", "clusterid.x" -> field("ctaidX");
      case "ctaid.y", "clusterid.y" -> field("ctaidY");
      case "ctaid.z", "clusterid.z" -> field("ctaidZ");
      case "nctaid.x", "nclusterid.x" -> field("nctaidX");
      case "nctaid.y", "nclusterid.y" -> field("nctaidY");
      case "nctaid.z", "nclusterid.z" -> field("nctaidZ");
      case "laneid" -> lane();
      case "warpid" -> warp();
      case "nwarpid" -> asm.constant(32);
      case "smid" -> field("processor");
      case "nsmid" -> field("processors");
      case "envreg1" -> field("workspaceHigh");
      case "envreg2" -> field("workspaceLow");
      case "dynamic_smem_size" -> field("dynamicShared");
      case "total_smem_size" -> field("totalShared");
      case "cluster_nctaid.x", "cluster_nctaid.y", "cluster_nctaid.z", "cluster_nctarank" ->
          asm.constant(1);
      default -> {
        return rare(name);
      }
    }
    return Type.U32;
  }

  private Type rare(String name) {
    if (name.startsWith("lanemask_")) {
      lane();
      asm.call(BlockContext.class, "laneMask" + name.substring(9).toUpperCase(Locale.ROOT), "(I)I");
      return Type.U32;
    }
    switch (name) {
      case "clock64", "globaltimer" -> {
        asm.call(System.class, "nanoTime", "()J");
        return Type.U64;
      }
      case "clock", "globaltimer_lo" -> asm.call(BlockContext.class, "clockLow", "()I");
      case "clock_hi", "globaltimer_hi" -> asm.call(BlockContext.class, "clockHigh", "()I");
      case "gridid" -> {
        asm.constant(0L);
        return Type.U64;
      }
      case "envreg0",
          "envreg3",
          "is_explicit_cluster",
          "cluster_ctaid.x",
          "cluster_ctaid.y",
          "cluster_ctaid.z",
          "cluster_ctarank" ->
          asm.constant(0);
      default -> throw new Unsupported("register %" + name);
    }
    return Type.U32;
  }

  private void field(String name) {
    asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
    asm.field(BlockContext.class, name, int.class);
  }

  private void threadIndex(String array) {
    asm.load(TypeKind.REFERENCE, Slots.CONTEXT);
    asm.field(BlockContext.class, array, int[].class);
    asm.load(TypeKind.INT, Slots.THREAD);
    asm.arrayLoad(TypeKind.INT);
  }

  private void lane() {
    asm.load(TypeKind.INT, Slots.THREAD);
    asm.constant(31);
    asm.operator(IAND);
  }

  private void warp() {
    asm.load(TypeKind.INT, Slots.THREAD);
    asm.constant(5);
    asm.operator(ISHR);
  }
}
