// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.lease.node.PoolNode;
import io.outboard.pool.broker.NodeLeases;
import io.outboard.pool.broker.NodeMembers;
import java.util.stream.Stream;

/** Answers what operators ask of the nodes of a pool. */
final class NodeCommands {
  private final NodeLeases leases;
  private final NodeMembers members;

  NodeCommands(NodeLeases leases, NodeMembers members) {
    this.leases = leases;
    this.members = members;
  }

  Stream<Form> all() {
    return leases.all().stream().map(this::row);
  }

  private Form row(PoolNode node) {
    return new Form()
        .with("node", node.name())
        .with("joined", node.joined())
        .with("devices", node.gpus().size())
        .with("endpoints", String.join(" ", node.endpoints()))
        .with("reported", leases.reported(node.name()).toEpochMilli());
  }

  Stream<Form> invite(String node) throws LeaseException {
    return Stream.of(new Form().with("node", node).with("token", members.invite(node)));
  }

  Stream<Form> remove(String node) throws LeaseException {
    members.remove(node);
    return all();
  }
}
