// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.base.HandleTable;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.stream.HostFunctionOperation;

/**
 * An object of the program that has owners: its maker, graphs, executables, and launches that are
 * not over. When the last one is gone a function of the program ends it (CUDA C++ Programming
 * Guide, "CUDA User Objects").
 */
public final class UserObject extends Handled {
  private final HostFunctionOperation end;
  private final HandleTable handles;
  private int owners;

  public UserObject(HandleTable handles, HostFunctionOperation end, int owners) {
    this.handles = handles;
    this.end = end;
    this.owners = owners;
  }

  public synchronized void retain(int count) {
    owners += count;
  }

  /** Takes owners away; more than there are end it too, as in the vendor's driver. */
  public void release(int count) {
    synchronized (this) {
      boolean lives = owners > count;
      boolean ended = owners == 0;
      owners = lives ? owners - count : 0;
      if (lives || ended) {
        return;
      }
    }
    handles.remove(this);
    runEnd();
  }

  /** On a thread of its own: the function may take long, and nobody waits for it. */
  private void runEnd() {
    Thread thread = new Thread(end::call, "outboard-user-object");
    thread.setDaemon(true);
    thread.start();
  }
}
