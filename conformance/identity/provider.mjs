// SPDX-License-Identifier: Apache-2.0
// usage: node provider.mjs PORT
// An OpenID provider for tests, of npm's oidc-provider: people sign in with a device code and any
// password, a service with its secret. Access tokens are JWTs with the groups of EGI Check-in's
// shape. Nothing of it is kept.
import { generateKeyPairSync } from 'node:crypto';
import { Provider } from 'oidc-provider';

const port = Number(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;
const audience = 'outboard-broker';
const group = (role) => `urn:mace:egi.eu:group:vo.example.org:${role}#aai.example.org`;
const groups = {
  alice: [group('role=member'), group('gpu:role=user')],
  bob: [group('role=member')],
};
const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

const provider = new Provider(issuer, {
  jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'k1' }] },
  clients: [
    {
      client_id: 'outboard-cli',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      redirect_uris: [],
      response_types: [],
    },
    {
      client_id: 'outboard-console',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      grant_types: ['authorization_code'],
      redirect_uris: ['http://127.0.0.1/console/signed-in.html'],
      response_types: ['code'],
    },
  ],
  scopes: ['openid', 'offline_access', 'gpu'],
  findAccount: (context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  extraTokenClaims: (context, token) => ({ entitlements: groups[token.accountId] ?? [] }),
  features: {
    deviceFlow: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'urn:outboard:broker',
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'gpu',
        audience,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 300,
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});
provider.listen(port, '127.0.0.1', () => console.log(`provider at ${issuer}`));
