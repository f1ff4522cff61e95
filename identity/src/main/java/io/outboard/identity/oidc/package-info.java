// SPDX-License-Identifier: Apache-2.0
/**
 * OpenID Connect: access tokens of providers that the configuration names (RFC 7519, RFC 9068), and
 * people who sign in with a device code (RFC 8628); accounts for which a Kubernetes vouches. No
 * address out of a token is ever asked.
 */
package io.outboard.identity.oidc;
