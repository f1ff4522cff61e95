// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.devices.WorkerExchange;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Memory;
import io.outboard.communicator.posix.Posix;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.CudaVirtualMemory;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.Native;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedDescriptorsTest {
  private static final int TYPE = CudaVirtualMemory.FILE_DESCRIPTOR;
  private static final int FABRIC = 8;
  private static final long MARK = 0x0123_4567_89ab_cdefL;

  private final NativeBuffer buffer = new NativeBuffer(4096);
  private final long ticket = buffer.address();
  private final long other = ticket + CudaVirtualMemory.TICKET_BYTES;
  private final long scratch = other + CudaVirtualMemory.TICKET_BYTES;
  private final FileDriver driver = new FileDriver();
  private final CudaDriver one = new SharedDescriptors(driver, new WorkerExchange());
  private final CudaDriver two = new SharedDescriptors(driver, new WorkerExchange());

  /** Its memory is files of one word: the allocation's handle. */
  private static final class FileDriver extends CudaDriverForwarding {
    private final List<Integer> made = new ArrayList<>();
    private final List<Long> ended = new ArrayList<>();

    FileDriver() {
      super(SoftGpu.builder(new SilentConsole()).build());
    }

    @Override
    public int cuMemExportToShareableHandle(long handle, long allocation, int type, long flags) {
      if (allocation == 0) {
        return CudaResult.INVALID_HANDLE;
      }
      int file = Memory.memfdCreate("test", Memory.MFD_CLOEXEC);
      try (NativeBuffer word = new NativeBuffer(8)) {
        Native.putLong(word.address(), allocation);
        assertEquals(8, Posix.write(file, word.address(), 8));
      }
      made.add(file);
      Native.putInt(handle, file);
      return CudaResult.SUCCESS;
    }

    @Override
    public int cuMemImportFromShareableHandle(long allocation, long handle, int type) {
      return Posix.pread((int) handle, allocation, 8, 0) == 8
          ? CudaResult.SUCCESS
          : CudaResult.UNKNOWN;
    }

    @Override
    public int cuMemPoolExportToShareableHandle(long handle, long pool, int type, long flags) {
      return cuMemExportToShareableHandle(handle, ~pool, type, flags);
    }

    @Override
    public int cuMemPoolImportFromShareableHandle(long pool, long handle, int type, long flags) {
      int result = cuMemImportFromShareableHandle(pool, handle, type);
      Native.putLong(pool, ~Native.getLong(pool));
      return result;
    }

    @Override
    public int outboardShareEnd(long handle) {
      ended.add(handle);
      return CudaResult.SUCCESS;
    }
  }

  @AfterEach
  void free() {
    buffer.close();
  }

  private void export(long to, long allocation) {
    assertEquals(0, one.cuMemExportToShareableHandle(to, allocation, TYPE, 0));
  }

  private int result(CudaDriver importer, long from) {
    return importer.cuMemImportFromShareableHandle(scratch, from, TYPE);
  }

  private void assertImports(long allocation, CudaDriver importer, long from) {
    assertEquals(0, result(importer, from));
    assertEquals(allocation, Native.getLong(scratch));
  }

  @Test
  void eachWorkerFindsTheDescriptorOfATicket() {
    export(ticket, MARK);
    export(other, MARK + 1);
    for (int i = 0; i < 3; i++) {
      assertImports(MARK, one, ticket);
      assertImports(MARK, two, ticket);
      assertImports(MARK + 1, two, other);
    }
    assertEquals(0, one.cuMemPoolExportToShareableHandle(ticket, MARK + 2, TYPE, 0));
    assertEquals(0, two.cuMemPoolImportFromShareableHandle(scratch, ticket, TYPE, 0));
    assertEquals(MARK + 2, Native.getLong(scratch));
  }

  @Test
  void anEndedTicketIsOfNothing() {
    export(ticket, MARK);
    export(other, MARK + 1);
    assertEquals(0, two.outboardShareEnd(ticket));
    assertImports(MARK, one, ticket);
    assertEquals(0, one.outboardShareEnd(ticket));
    assertEquals(List.of((long) driver.made.getFirst()), driver.ended);
    assertTrue(Posix.fcntl(driver.made.getFirst(), Posix.F_GETFD, 0) < 0);
    assertEquals(CudaResult.INVALID_VALUE, result(one, ticket));
    assertEquals(CudaResult.INVALID_VALUE, result(two, ticket));
    assertEquals(0, one.outboardShareEnd(ticket));
    assertEquals(1, driver.ended.size());
    assertImports(MARK + 1, two, other);
  }

  @Test
  void aTicketCannotBeMadeUp() {
    export(ticket, MARK);
    for (int i = 0; i < 40; i++) {
      byte right = Native.getByte(ticket + i);
      Native.putByte(ticket + i, (byte) (right ^ 1));
      assertNotEquals(0, result(one, ticket), "byte " + i);
      assertNotEquals(0, result(two, ticket), "byte " + i);
      assertEquals(0, one.outboardShareEnd(ticket));
      Native.putByte(ticket + i, right);
    }
    assertImports(MARK, two, ticket);
  }

  @Test
  void otherTypesAreRefused() {
    int unsupported = CudaResult.NOT_SUPPORTED;
    export(ticket, MARK);
    assertEquals(unsupported, one.cuMemExportToShareableHandle(other, MARK, FABRIC, 0));
    assertEquals(unsupported, two.cuMemImportFromShareableHandle(scratch, ticket, FABRIC));
    assertEquals(CudaResult.INVALID_HANDLE, one.cuMemExportToShareableHandle(other, 0, TYPE, 0));
    assertEquals(CudaResult.INVALID_VALUE, one.cuMemExportToShareableHandle(0, MARK, TYPE, 0));
    assertEquals(CudaResult.INVALID_VALUE, result(one, 0));
    assertEquals(1, driver.made.size());
  }
}
