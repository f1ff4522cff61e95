// SPDX-License-Identifier: Apache-2.0
package example;

import io.outboard.spec.*;

/** Compressed files on the backend's machine: zlib manual, "gzip File Access Functions". */
@Library(
    name = "zlib", id = 200, soname = "libz.so.1",
    kinds = @Kind(id = Zlib.FILE, name = "file", type = "gzFile", holds = Holds.NOTHING, invalid = -2),
    results = @Results(invalidValue = -2, notSupported = -6, notInitialized = -1, unavailable = -1, outOfMemory = -4))
public interface Zlib {
  int FILE = 60;
  @Call(1) @Custom(value = "returns the file", prototype = "gzFile gzopen(const char *path, const char *mode)", binding = true)
  @Variants("gzopen64")
  int gzopen(@CString long path, @CString long mode, @Out(Scalar.LONG) @Handle(value = FILE, life = Handle.Life.CREATE) long file);
  @Call(2) @Custom(value = "returns a number of bytes", prototype = "int gzread(gzFile file, void *to, unsigned length)", binding = true)
  int gzread(@Handle(FILE) long file, @Out(bytes = "length") long to, int length, @Out(Scalar.INT) long read);
  @Call(3) @Custom(value = "returns a number of bytes", prototype = "int gzwrite(gzFile file, const void *from, unsigned length)", binding = true)
  int gzwrite(@Handle(FILE) long file, @In(bytes = "length") long from, int length, @Out(Scalar.INT) long written);
  @Call(4) int gzclose(@Handle(value = FILE, life = Handle.Life.DESTROY) long file);
}
