// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.LINK;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Blocking;
import io.outboard.spec.CString;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Handle;
import io.outboard.spec.Handle.Life;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Variants;

/** Linking of PTX, device objects and libraries into one image; CUDA Driver API, section 6.10. */
public interface CudaLinker {
  /** Begins to link. */
  @Call(430)
  @Custom(value = "cuLinkCreate without options", binding = true)
  int outboardLinkCreate(@Out(LONG) @Handle(value = LINK, life = Life.CREATE) long link);

  /** Adds an input (CUjitInputType). */
  @Call(431)
  @Blocking
  @Custom(value = "cuLinkAddData without options", binding = true)
  int outboardLinkAddData(
      @Handle(LINK) long link,
      int type,
      @In(bytes = "bytes") long data,
      long bytes,
      @CString long name);

  /** Links, and says how large the image is. */
  @Call(432)
  @Blocking
  @Custom(value = "the image stays there until it is read", binding = true)
  int outboardLinkComplete(@Handle(LINK) long link, @Out(LONG) long bytes);

  /**
   * Why the inputs could not be linked: what the compiler said, ended by NUL, and empty where it
   * said nothing. An image that a module cannot be made of is explained in the same way, by a link
   * of it alone.
   *
   * @param text null before something is linked: then the text will be asked for, and is not told
   *     on standard error
   * @param bytes room for the text
   */
  @Call(648)
  @Custom(
      value = "not a function of the vendor: the text for CU_JIT_ERROR_LOG_BUFFER",
      binding = true)
  default int outboardLinkLog(
      @Handle(LINK) long link, @Out(bytes = "bytes") long text, long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** A part of the image. */
  @Call(433)
  @Blocking
  @Custom(value = "the vendor returns an address of the driver's own", binding = true)
  int outboardLinkImage(
      @Handle(LINK) long link,
      @Out(bytes = "bytes", advancing = "offset") long image,
      long offset,
      long bytes);

  /** Ends it, and the image with it. */
  @Call(434)
  @Custom("the image that is kept until it is read")
  int cuLinkDestroy(@Handle(value = LINK, life = Life.DESTROY) long link);

  /**
   * As {@link #outboardLinkAddData}, in the way of {@link CudaModules#outboardModuleContent}.
   *
   * @param data null for what the backend's host keeps
   */
  @Call(508)
  @Blocking
  @Custom(value = "not a function of the vendor: an image by its content", binding = true)
  default int outboardLinkContent(
      @Handle(LINK) long link,
      int type,
      @In(bytes = "32") long digest,
      @In(bytes = "bytes", optional = true) long data,
      long bytes,
      @CString long name) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Begins to link. */
  @Local(
      prototype =
          "CUresult cuLinkCreate_v2(unsigned int count, int *options, void **values, CUlinkState"
              + " *link)")
  @Variants("cuLinkCreate")
  default int cuLinkCreate_v2(int count, long options, long values, @Out(LONG) long link) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Adds an input. */
  @Local(
      prototype =
          "CUresult cuLinkAddData_v2(CUlinkState link, int type, void *data, size_t bytes, const"
              + " char *name, unsigned int count, int *options, void **values)")
  @Variants("cuLinkAddData")
  default int cuLinkAddData_v2(
      @Handle(LINK) long link,
      int type,
      long data,
      long bytes,
      @CString long name,
      int count,
      long options,
      long values) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Adds a file of the program's as an input. */
  @Local(
      prototype =
          "CUresult cuLinkAddFile_v2(CUlinkState link, int type, const char *path, unsigned int"
              + " count, int *options, void **values)")
  @Variants("cuLinkAddFile")
  default int cuLinkAddFile_v2(
      @Handle(LINK) long link, int type, @CString long path, int count, long options, long values) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Links; the image lives as long as the link. */
  @Local(prototype = "CUresult cuLinkComplete(CUlinkState link, void **image, size_t *bytes)")
  default int cuLinkComplete(
      @Handle(LINK) long link, @Out(LONG) long image, @Out(LONG) long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }
}
