// SPDX-License-Identifier: Apache-2.0
/** Nova's notifications, over AMQP: hints of anybody who may write to the message broker. */
package io.outboard.openstack.notice;
