// SPDX-License-Identifier: Apache-2.0
package io.outboard.office.rest;

/**
 * An answer.
 *
 * @param status HTTP's
 * @param token the header {@code X-Subject-Token}, in which Keystone has tokens; empty without one
 * @param body an object of JSON; none where there was no body
 */
public record RestAnswer(int status, String token, Fields body) {}
