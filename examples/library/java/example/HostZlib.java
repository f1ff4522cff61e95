// SPDX-License-Identifier: Apache-2.0
package example;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.backend.library.*;
import io.outboard.wire.Native;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/** The host's zlib as a library of the backend; by hand the functions that return something else than a result. */
public final class HostZlib extends ZlibNative implements LibraryService {
  private static final FunctionDescriptor MOVE = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);

  private final MethodHandle open = downcall("gzopen", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private final MethodHandle read = downcall("gzread", MOVE);
  private final MethodHandle write = downcall("gzwrite", MOVE);

  public HostZlib() { super(lookup(ZlibTable.SONAME)); }

  @Override public String library() { return ZlibTable.LIBRARY; }
  @Override public int number() { return ZlibTable.ID; }
  @Override public long kinds() { return ZlibTable.KINDS; }
  @Override public LibraryInstance open(SessionContext context) {
    return LibraryInstance.of(context, this, ZlibDispatcher::new, ZlibLogged.STRUCTURES, ZlibLogged::new);
  }
  @Override public int gzopen(long path, long mode, long file) {
    Native.putLong(file, call(open, path, mode));
    return Native.getLong(file) == 0 ? -1 : 0;
  }
  @Override public int gzread(long file, long to, int length, long count) {
    Native.putInt(count, (int) call(read, file, to, length));
    return 0;
  }
  @Override public int gzwrite(long file, long from, int length, long count) {
    Native.putInt(count, (int) call(write, file, from, length));
    return 0;
  }

  private static long call(MethodHandle function, Object... arguments) {
    try {
      return ((Number) function.invokeWithArguments(arguments)).longValue();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
