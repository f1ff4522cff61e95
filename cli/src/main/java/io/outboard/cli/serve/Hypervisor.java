// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import java.util.Locale;

/** A hypervisor, and how a guest of it reaches a backend on its host. */
enum Hypervisor {
  /** QEMU by its own command line. */
  QEMU(
      """
      # a line of QEMU's
      -device virtio-serial-pci -chardev socket,id=outboard,path=PATH,server=on,wait=off \\
      -device virtserialport,chardev=outboard,name=outboard.0
      # beside it, for speed, memory that both have, one file a guest
      -object memory-backend-file,id=memory,mem-path=/dev/shm/GUEST,size=64M,share=on \\
      -device ivshmem-plain,memdev=memory
      # or, where the host has vhost_vsock
      -device vhost-vsock-pci,guest-cid=CID
      """,
      """
      outboard serve --listen virtio:PATH
      outboard serve --listen virtio:PATH --ivshmem virtio:PATH=/dev/shm/GUEST
      outboard serve --listen vsock://:14900
      """),

  /** QEMU through libvirt. */
  LIBVIRT(
      """
      <!-- among the devices of the domain -->
      <channel type='unix'>
        <source mode='bind' path='PATH'/>
        <target type='virtio' name='outboard.0'/>
      </channel>
      <!-- or, where the host has vhost_vsock -->
      <vsock model='virtio'><cid auto='no' address='CID'/></vsock>
      """,
      """
      outboard serve --listen virtio:PATH
      outboard serve --listen vsock://:14900
      """),

  /** Amazon's Firecracker. */
  FIRECRACKER(
      """
      # to the API's socket, before the guest starts
      curl --unix-socket API_SOCKET -X PUT http://localhost/vsock \\
        -d '{"guest_cid": CID, "uds_path": "PATH"}'
      """,
      """
      outboard serve --listen vsock-uds:PATH:14900
      """),

  /** Cloud Hypervisor. */
  CLOUD_HYPERVISOR(
      """
      # an option of cloud-hypervisor's
      --vsock cid=CID,socket=PATH
      """,
      """
      outboard serve --listen vsock-uds:PATH:14900
      """),

  /** Oracle's VirtualBox. */
  VIRTUALBOX(
      """
      # the host is 10.0.2.2 for the guest
      VBoxManage modifyvm VM --nic1 nat --nictype1 virtio
      """,
      Hypervisor.NETWORK),

  /** VMware's ESXi. */
  ESXI(
      """
      # a network adapter (vmxnet3) in a port group that reaches the backend
      """,
      Hypervisor.NETWORK),

  /** Microsoft's Hyper-V. */
  HYPER_V(
      """
      # PowerShell, on the host
      Add-VMNetworkAdapter -VMName VM -SwitchName SWITCH
      """,
      Hypervisor.NETWORK),

  /** FreeBSD's bhyve. */
  BHYVE(
      """
      # an option of bhyve's; tap0 is on a bridge that reaches the backend
      -s 2,virtio-net,tap0
      """,
      Hypervisor.NETWORK),

  /** Xen, through pages of the domain whose number is the CID. */
  XEN(
      """
      # nothing: the domain grants pages of its own; 'xl domid NAME' says its number, here CID
      """,
      """
      # in domain 0, as root
      outboard serve --listen tcp://127.0.0.1:14900
      outboard-xen CID tcp://127.0.0.1:14900
      """) {
    @Override
    int firstNumber() {
      return 1;
    }

    @Override
    String guest() {
      return """
          modprobe -a xen-gntalloc xen-evtchn
          outboard-run --on xen:0 --verbose -- PROGRAM
          """;
    }
  };

  private static final String NETWORK =
      """
      outboard serve --listen tls://0.0.0.0:14901
      """;

  private final String machine;
  private final String host;

  Hypervisor(String machine, String host) {
    this.machine = machine;
    this.host = host;
  }

  /** Returns the configuration of the virtual machine, and the commands on its host and in it. */
  String text(String path, int cid) {
    String text =
        "# The virtual machine:\n"
            + machine
            + "\n# On the host (it says which file has the token):\n"
            + host
            + "\n# In the guest, with the token in OUTBOARD_TOKEN:\n"
            + guest();
    return text.replace("PATH", path).replace("CID", Integer.toString(cid));
  }

  /** A guest finds vsock and ports by itself, and no host of a network. */
  String guest() {
    return host.equals(NETWORK)
        ? "outboard-run --on tls://HOST -- PROGRAM\n"
        : "outboard-run --verbose -- PROGRAM\n";
  }

  /** The least number of a guest: below are the host, and who else is none. */
  int firstNumber() {
    return 3;
  }

  /** As it is written on a command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
