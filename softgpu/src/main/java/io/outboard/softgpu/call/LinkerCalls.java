// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.call;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.outboard.cuda.CudaLinker;
import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.base.Texts;
import io.outboard.softgpu.device.Machine;
import io.outboard.softgpu.image.ImageException;
import io.outboard.softgpu.image.PtxLinker;
import io.outboard.softgpu.module.ModuleLoader;
import io.outboard.wire.Native;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Linking of PTX: the image is one PTX text. */
public final class LinkerCalls implements CudaLinker {
  private static final int PTX = 1;
  private static final int CONTAINER = 2;
  private static final int LAST_TYPE = 5;

  private final Machine machine;

  public LinkerCalls(Machine machine) {
    this.machine = machine;
  }

  /** A link in the making. */
  private static final class Link extends Handled {
    private final PtxLinker linker = new PtxLinker();
    private byte[] image;
    private String log = "";
    private boolean logIsAskedFor;
  }

  @Override
  public int outboardLinkCreate(long link) {
    if (machine.usable() == null) {
      return machine.refusal();
    }
    Link made = new Link();
    if (link == 0 || !machine.handles().add(made)) {
      return link == 0 ? CudaResult.INVALID_VALUE : CudaResult.OUT_OF_MEMORY;
    }
    Native.putLong(link, made.handle());
    return CudaResult.SUCCESS;
  }

  private Link link(long handle) {
    return machine.handles().get(handle, Link.class);
  }

  private int unknown() {
    return machine.isInitialised() ? CudaResult.INVALID_HANDLE : CudaResult.NOT_INITIALIZED;
  }

  /** Device binaries and what is made of them cannot be linked here. */
  @Override
  public int outboardLinkAddData(long link, int type, long data, long bytes, long name) {
    Link added = link(link);
    if (added == null) {
      return unknown();
    }
    if (data == 0 || bytes <= 0 || type < 0 || type > LAST_TYPE || added.image != null) {
      return CudaResult.INVALID_VALUE;
    }
    if (type != PTX && type != CONTAINER) {
      String message = "only PTX can be linked on the software GPU";
      return failed(added, new ImageException(CudaResult.NO_BINARY_FOR_GPU, message));
    }
    try {
      added.linker.add(loader(added).text(data, bytes));
      return CudaResult.SUCCESS;
    } catch (ImageException unusable) {
      return failed(added, unusable);
    }
  }

  /** What it tells is in the link's log. */
  private ModuleLoader loader(Link link) {
    return new ModuleLoader(machine, message -> tell(link, message));
  }

  private void tell(Link link, String message) {
    link.log += message + "\n";
    if (!link.logIsAskedFor) {
      machine.console().message(message);
    }
  }

  private int failed(Link link, ImageException wrong) {
    if (link.log.isEmpty()) {
      tell(link, wrong.getMessage());
    }
    return wrong.result();
  }

  @Override
  public int outboardLinkLog(long link, long text, long bytes) {
    Link asked = link(link);
    if (asked == null) {
      return unknown();
    }
    asked.logIsAskedFor = true;
    if (text != 0 && bytes > 0) {
      Texts.write(text, (int) Math.min(bytes, Integer.MAX_VALUE), asked.log);
    }
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardLinkComplete(long link, long bytes) {
    Link completed = link(link);
    if (completed == null || bytes == 0) {
      return completed == null ? unknown() : CudaResult.INVALID_VALUE;
    }
    try {
      String text = completed.linker.link();
      loader(completed).compile(text);
      completed.image = (text + "\0").getBytes(StandardCharsets.UTF_8);
    } catch (ImageException wrong) {
      return failed(completed, wrong);
    }
    Native.putLong(bytes, completed.image.length);
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardLinkImage(long link, long image, long offset, long bytes) {
    Link asked = link(link);
    if (asked == null) {
      return unknown();
    }
    if (image == 0
        || asked.image == null
        || offset < 0
        || bytes < 0
        || offset > asked.image.length - bytes) {
      return CudaResult.INVALID_VALUE;
    }
    MemorySegment.copy(asked.image, (int) offset, Native.MEMORY, JAVA_BYTE, image, (int) bytes);
    return CudaResult.SUCCESS;
  }

  @Override
  public int cuLinkDestroy(long link) {
    Link ended = link(link);
    if (ended == null) {
      return unknown();
    }
    machine.handles().remove(ended);
    return CudaResult.SUCCESS;
  }
}
