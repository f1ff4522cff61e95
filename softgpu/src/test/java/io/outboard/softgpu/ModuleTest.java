// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu;

import static io.outboard.softgpu.Program.ok;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.FunctionAttributes;
import io.outboard.cuda.struct.FunctionFacts;
import io.outboard.softgpu.base.Texts;
import io.outboard.softgpu.image.Containers;
import io.outboard.wire.Native;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ModuleTest extends DriverTest {
  private int load(byte[] image) {
    return driver().cuModuleLoadData(program().out(), program().image(image), image.length);
  }

  @Test
  void loadsContainers() {
    byte[] image =
        Containers.container(Containers.binary(90), Containers.ptx(75, Program.kernels()));
    ok(load(image));
    long function = program().function(program().value(), "nothing");
    ok(program().launchOne(function, 0));
    ok(driver().cuCtxSynchronize());
  }

  @Test
  void saysWhyAnImageIsOfNoUse() {
    assertEquals(CudaResult.NO_BINARY_FOR_GPU, load(Containers.container(Containers.binary(90))));
    assertTrue(console().messages().contains("SASS sm_90"));
    assertEquals(CudaResult.INVALID_IMAGE, load("nonsense".getBytes(StandardCharsets.UTF_8)));
    byte[] broken =
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k( {"
            .getBytes(StandardCharsets.UTF_8);
    assertEquals(CudaResult.INVALID_PTX, load(broken));
    assertTrue(console().messages().contains("4:"), console().messages());
    assertEquals(CudaResult.INVALID_VALUE, driver().cuModuleLoadData(program().out(), 0, 4));
  }

  @Test
  void findsFunctionsAndVariables() {
    long module = program().module();
    long out = program().out();
    long add = program().function(module, "vectorAdd");
    assertEquals(add, program().function(module, "vectorAdd"));
    assertEquals(
        CudaResult.NOT_FOUND,
        driver().cuModuleGetFunction(out, module, program().text("vectorSub")));
    assertEquals(
        CudaResult.INVALID_HANDLE,
        driver().cuModuleGetFunction(out, add, program().text("vectorAdd")));
    ok(driver().cuModuleGetGlobal_v2(out, program().out2(), module, program().text("table")));
    long table = program().value();
    assertEquals(16, Native.getLong(program().out2()));
    assertArrayEquals(new int[] {1, 2, 3, 4}, program().read(table, 4));
    ok(driver().cuModuleGetGlobal_v2(0, 0, module, program().text("table")));
    assertEquals(
        CudaResult.NOT_FOUND,
        driver().cuModuleGetGlobal_v2(out, 0, module, program().text("chair")));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuMemFree_v2(table));
  }

  @Test
  void kernelsUseVariables() {
    long module = program().module();
    ok(driver().cuModuleGetGlobal_v2(program().out(), 0, module, program().text("table")));
    ok(driver().cuMemcpyHtoD_v2(program().value(), program().ints(100), 4));
    long result = program().allocate(4);
    ok(program().launchOne(program().function(module, "sumTable"), 0, result));
    assertArrayEquals(new int[] {109}, program().read(result, 1));
  }

  @Test
  void listsFunctions() {
    long module = program().module();
    ok(driver().cuModuleGetFunctionCount(program().out(), module));
    int count = program().intValue();
    assertTrue(count >= 9);
    long list = program().bytes(8L * count);
    ok(driver().cuModuleEnumerateFunctions(list, count, module));
    long name = program().bytes(64);
    ok(driver().outboardFunctionName(name, 64, Native.getLong(list)));
    assertEquals("vectorAdd", Texts.read(name));
    ok(driver().outboardFunctionName(name, 4, Native.getLong(list)));
    assertEquals("vec", Texts.read(name));
    ok(driver().cuFuncGetModule(program().out(), Native.getLong(list)));
    assertEquals(module, program().value());
  }

  @Test
  void functionsEndWithTheirModule() {
    long module = program().module();
    long function = program().function(module, "nothing");
    ok(program().launchOne(function, 0));
    ok(driver().cuModuleUnload(module));
    assertEquals(CudaResult.INVALID_HANDLE, program().launchOne(function, 0));
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuModuleUnload(module));
  }

  @Test
  void tellsWhatALaunchNeeds() {
    long mixed = program().function(program().module(), "mixed");
    long facts = program().bytes(16 + 4 * 2 * FunctionFacts.LAYOUT);
    ok(driver().outboardFunctionFacts(facts, mixed));
    assertEquals(4, Native.getInt(facts));
    assertEquals(32, Native.getInt(facts + FunctionFacts.PARAMETER_BYTES));
    assertEquals(1024, Native.getInt(facts + FunctionFacts.MAX_THREADS));
    assertEquals(0, Native.getInt(facts + FunctionFacts.SHARED_BYTES));
    int[] layout = {0, 1, 8, 8, 16, 2, 24, 8, 0, 0};
    for (int i = 0; i < layout.length; i++) {
      assertEquals(layout[i], Native.getInt(facts + FunctionFacts.LAYOUT_VALUES + 4L * i));
    }
    ok(driver().cuFuncGetParamInfo(mixed, 1, program().out(), program().out2()));
    assertEquals(8, program().value());
    assertEquals(8, Native.getLong(program().out2()));
    assertEquals(
        CudaResult.INVALID_VALUE, driver().cuFuncGetParamInfo(mixed, 4, program().out(), 0));
  }

  @Test
  void figuresOfAFunction() {
    long reverse = program().function(program().module(), "reverse");
    assertEquals(1024, figure(reverse, 0));
    assertEquals(1024, figure(reverse, 1));
    assertEquals(75, figure(reverse, 5));
    assertEquals(90, figure(reverse, 6));
    assertEquals(47 << 10, figure(reverse, 8));
    ok(driver().cuFuncSetAttribute(reverse, 8, 100 << 10));
    assertEquals(100 << 10, figure(reverse, 8));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuFuncSetAttribute(reverse, 8, 227 << 10));
    assertEquals(CudaResult.INVALID_VALUE, driver().cuFuncSetAttribute(reverse, 0, 1));
    assertEquals(
        CudaResult.INVALID_VALUE, driver().cuFuncGetAttribute(program().out(), 77, reverse));
  }

  private int figure(long function, int attribute) {
    ok(driver().cuFuncGetAttribute(program().out(), attribute, function));
    return program().intValue();
  }

  @Test
  void librariesAreLoadedWhereTheyAreUsed() {
    byte[] image = Containers.bytes(Program.kernels());
    long out = program().out();
    ok(driver().cuLibraryLoadData(out, program().image(image), image.length));
    final long library = program().value();
    ok(driver().cuLibraryGetKernel(out, library, program().text("sumTable")));
    final long kernel = program().value();
    long here = program().allocate(4);
    ok(program().launchOne(kernel, 0, here));
    assertArrayEquals(new int[] {10}, program().read(here, 1));
    ok(driver().cuKernelGetFunction(out, kernel));
    final long function = program().value();
    ok(driver().cuLibraryGetGlobal(out, program().out2(), library, program().text("table")));
    final long table = program().value();
    assertEquals(16, Native.getLong(program().out2()));

    ok(driver().cuCtxCreate_v2(out, 0, 1));
    final long context = program().value();
    ok(driver().cuLibraryGetGlobal(out, 0, library, program().text("table")));
    assertNotEquals(table, program().value());
    long there = program().allocate(4);
    ok(program().launchOne(kernel, 0, there));
    assertArrayEquals(new int[] {10}, program().read(there, 1));
    ok(driver().cuKernelGetFunction(out, kernel));
    assertNotEquals(function, program().value());
    ok(driver().cuCtxDestroy_v2(context));

    ok(driver().cuKernelGetLibrary(out, kernel));
    assertEquals(library, program().value());
    ok(driver().cuKernelSetAttribute(8, 50_000, kernel, 0));
    ok(driver().cuKernelGetAttribute(out, 8, kernel, 0));
    assertEquals(50_000, program().intValue());
    ok(driver().cuLibraryUnload(library));
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuKernelGetLibrary(out, kernel));
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuLibraryUnload(library));
  }

  @Test
  void aLibrarySurvivesTheResetOfItsContext() {
    byte[] image = Containers.bytes(Program.kernels());
    long out = program().out();
    ok(driver().cuLibraryLoadData(out, program().image(image), image.length));
    long library = program().value();
    ok(driver().cuLibraryGetKernel(out, library, program().text("sumTable")));
    long kernel = program().value();
    for (int round = 0; round < 3; round++) {
      long result = program().allocate(4);
      ok(program().launchOne(kernel, 0, result));
      assertArrayEquals(new int[] {10}, program().read(result, 1));
      ok(driver().cuDevicePrimaryCtxReset_v2(0));
      ok(driver().cuDevicePrimaryCtxRetain(out, 0));
    }
  }

  @Test
  void libraryListsItsKernels() {
    byte[] image = Containers.bytes(Program.kernels());
    long out = program().out();
    ok(driver().cuLibraryLoadData(out, program().image(image), image.length));
    long library = program().value();
    ok(driver().cuLibraryGetKernelCount(out, library));
    int count = program().intValue();
    long list = program().bytes(8L * count);
    ok(driver().cuLibraryEnumerateKernels(list, count, library));
    long name = program().bytes(64);
    ok(driver().outboardFunctionName(name, 64, Native.getLong(list + 8)));
    assertEquals("nothing", Texts.read(name));
    ok(driver().cuLibraryGetModule(out, library));
    ok(driver().cuModuleGetFunctionCount(program().out2(), program().value()));
    assertEquals(count, Native.getInt(program().out2()));
    assertEquals(CudaResult.INVALID_HANDLE, driver().cuModuleUnload(program().value()));
  }

  /** With the figures that the single questions give. */
  @Test
  void functionsComeWithWhatIsAskedNext() {
    long out = program().out();
    long module = program().module();
    long facts = program().bytes(FunctionFacts.LAYOUT_VALUES + 8L * FunctionFacts.LAYOUT);
    long asked = program().bytes(FunctionFacts.LAYOUT_VALUES + 8L * FunctionFacts.LAYOUT);
    long attributes = program().bytes(4L + 4L * FunctionAttributes.COUNT);
    long name = program().text("vectorAdd");
    ok(driver().outboardModuleFunction(out, facts, attributes, module, name));
    final long function = program().value();
    assertEquals(program().function(module, "vectorAdd"), function);
    ok(driver().outboardFunctionFacts(asked, function));
    assertEquals(4, Native.getInt(facts));
    for (int i = 0; i < FunctionFacts.LAYOUT_VALUES + 8 * 4; i += 4) {
      assertEquals(Native.getInt(asked + i), Native.getInt(facts + i));
    }
    for (int i = 0; i < FunctionAttributes.COUNT; i++) {
      boolean known = (Native.getInt(attributes) >> i & 1) != 0;
      assertEquals(driver().cuFuncGetAttribute(out, i, function) == 0, known, "attribute " + i);
      assertEquals(known ? program().intValue() : 0, Native.getInt(attributes + 4 + 4L * i));
    }
    assertTrue((Native.getInt(attributes) & 1) != 0);
    assertEquals(
        CudaResult.NOT_FOUND,
        driver().outboardModuleFunction(out, facts, attributes, module, program().text("none")));
    ok(driver().outboardModuleFunction(out, 0, 0, module, name));
  }

  /** A kernel is found also where nothing is known of its device. */
  @Test
  void kernelsAreFoundWithoutADevice() {
    byte[] image = Containers.bytes(Program.kernels());
    long out = program().out();
    ok(driver().cuLibraryLoadData(out, program().image(image), image.length));
    long library = program().value();
    long facts = program().bytes(FunctionFacts.LAYOUT_VALUES + 8L * FunctionFacts.LAYOUT);
    long attributes = program().bytes(4L + 4L * FunctionAttributes.COUNT);
    long name = program().text("sumTable");
    ok(driver().outboardLibraryKernel(out, facts, attributes, library, name, 0));
    long kernel = program().value();
    assertEquals(1, Native.getInt(facts));
    assertTrue((Native.getInt(attributes) & 1) != 0);
    ok(driver().outboardLibraryKernel(out, facts, attributes, library, name, -1));
    assertEquals(kernel, program().value());
    assertEquals(0, Native.getInt(attributes));
  }
}
