// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HotSpot never compiles a method of 8,000 bytes or more (HugeMethodLimit). */
class MethodSizeTest {
  private static final int HUGE = 8_000;
  private static final int CALLS = 200;

  @TempDir private Path output;

  @Test
  void aWideLibraryHasNoHugeMethod() throws IOException {
    String calls =
        IntStream.rangeClosed(1, CALLS)
            .mapToObj(MethodSizeTest::call)
            .collect(Collectors.joining("\n"));
    Compilation compilation =
        new Compilation(output)
            .source(
                "Wide",
                """
                package p;
                import static io.outboard.spec.Scalar.*;
                import io.outboard.spec.*;
                @Library(name = "wide", id = 7, soname = "libwide.so", kinds = @Kind(id = 1, name = "thing", type = "Thing", holds = Holds.NOTHING, invalid = 9),
                    results = @Results(invalidValue = 1, notSupported = 2, notInitialized = 3, unavailable = 4, outOfMemory = 5))
                public interface Wide {
                """
                    + calls
                    + "}")
            .compile();
    assertEquals(List.of(), compilation.errors());
    for (String name : List.of("WideDispatcher", "WideRemote", "WideNative")) {
      ClassModel model = ClassFile.of().parse(output.resolve("p/" + name + ".class"));
      for (MethodModel method : model.methods()) {
        CodeAttribute code = (CodeAttribute) method.code().orElseThrow();
        assertTrue(
            code.codeLength() < HUGE,
            () -> name + "." + method.methodName() + " has " + code.codeLength() + " bytes");
      }
    }
  }

  private static String call(int number) {
    String outputs =
        IntStream.range(0, 10)
            .mapToObj(i -> ", @Out(value = LONG, count = \"n\") @Handle(1) long o" + i)
            .collect(Collectors.joining());
    return "@Call(%d) int call%d(int n, @Handle(1) long thing, @CString long text%s);"
        .formatted(number, number, outputs);
  }
}
