// SPDX-License-Identifier: Apache-2.0
/** Requests of JSON to servers, which are not trusted: answers and times have a bound. */
package io.outboard.office.rest;
