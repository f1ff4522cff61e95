// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.cuda.CudaDriver;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every call that is posted to a stream, or to an address, and may let a device use a variable, is
 * marked: else the program's mirrors would be sent too late. The author of a new call has to mark
 * it or to list it here.
 */
final class DeviceWorkTest {
  private static final Pattern CALL =
      Pattern.compile(
          "\n(?:static )?int32_t (?:remote|once)_(\\w+)\\(([^)]*)\\) \\{\n(.*?)\n}",
          Pattern.DOTALL);

  private static final Pattern OF_A_DEVICE =
      Pattern.compile("\\b(CUstream|CUdeviceptr|CUarray) \\w");

  /** They use no memory of the program's, and give it to nobody. */
  private static final Set<String> WITHOUT_MEMORY =
      Set.of(
          "cuEventRecord",
          "cuEventRecordWithFlags",
          "cuGraphUpload",
          "cuMemFreeAsync",
          "cuStreamWaitEvent",
          "outboardMirrorStore",
          "outboardPagesStore");

  /** They name memory or a stream, are answered, and have a device do nothing that takes time. */
  private static final Set<String> WITHOUT_WORK =
      Set.of(
          "cuArray3DGetDescriptor_v2",
          "cuArrayDestroy",
          "cuArrayGetDescriptor_v2",
          "cuArrayGetPlane",
          "cuGraphAddMemFreeNode",
          "cuGraphicsMapResources",
          "cuGraphicsUnmapResources",
          "cuIpcCloseMemHandle",
          "cuIpcGetMemHandle",
          "cuMemAddressFree",
          "cuMemAddressReserve",
          "cuMemAllocAsync",
          "cuMemAllocFromPoolAsync",
          "cuMemGetAccess",
          "cuMemGetAddressRange_v2",
          "cuMemMap",
          "cuMemPoolExportPointer",
          "cuMemRetainAllocationHandle",
          "cuMemSetAccess",
          "cuMemUnmap",
          "cuPointerSetAttribute",
          "cuStreamBeginCaptureToGraph",
          "cuStreamBeginCapture_v2",
          "cuStreamCopyAttributes",
          "cuStreamDestroy_v2",
          "cuStreamEndCapture",
          "cuStreamGetAttribute",
          "cuStreamGetCtx",
          "cuStreamGetDevice",
          "cuStreamGetFlags",
          "cuStreamGetGreenCtx",
          "cuStreamGetId",
          "cuStreamGetPriority",
          "cuStreamIsCapturing",
          "cuStreamSetAttribute",
          "cuStreamUpdateCaptureDependencies_v2",
          "cuSurfRefSetArray",
          "cuTensorMapEncodeIm2col",
          "cuTensorMapEncodeIm2colWide",
          "cuTensorMapEncodeTiled",
          "cuTensorMapReplaceAddress",
          "cuTexRefSetAddress2D_v3",
          "cuTexRefSetAddress_v2",
          "cuTexRefSetArray",
          "outboardManagedVariable",
          "outboardMirrorChanges",
          "outboardPagesMap",
          "outboardPagesUnmap",
          "outboardStreamGetCaptureInfo");

  /** A new call that computes would else run outside of a lease's time slices. */
  @Test
  void whatNamesAStreamOrMemoryIsMarkedOrHasNoWork() throws IOException {
    Set<String> named = new TreeSet<>();
    Set<String> marked = new TreeSet<>();
    for (Matcher call = CALL.matcher(stubs()); call.find(); ) {
      if (OF_A_DEVICE.matcher(call.group(2)).find()) {
        named.add(call.group(1));
      }
      if (call.group(3).contains("cuda_work_begins(")) {
        marked.add(call.group(1));
      }
    }
    named.removeAll(marked);
    named.removeAll(WITHOUT_MEMORY);
    assertEquals(new TreeSet<>(WITHOUT_WORK), named);
  }

  @Test
  void whatIsPostedToADeviceIsMarked() throws IOException {
    Set<String> posted = new TreeSet<>();
    Set<String> marked = new TreeSet<>();
    for (Matcher call = CALL.matcher(stubs()); call.find(); ) {
      String body = call.group(3);
      if (body.contains("ob_send(&call_, flags_)") && OF_A_DEVICE.matcher(call.group(2)).find()) {
        posted.add(call.group(1));
      }
      if (body.contains("cuda_work_begins(")) {
        marked.add(call.group(1));
      }
    }
    posted.removeAll(marked);
    assertEquals(WITHOUT_MEMORY, posted);
  }

  private static String stubs() throws IOException {
    try (InputStream stubs =
        CudaDriver.class.getResourceAsStream("/META-INF/outboard/cuda/stubs.c")) {
      return new String(stubs.readAllBytes(), UTF_8);
    }
  }
}
