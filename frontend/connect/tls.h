/* SPDX-License-Identifier: Apache-2.0
 *
 * Encrypted connections to one backend.
 */
#ifndef OUTBOARD_TLS_H
#define OUTBOARD_TLS_H

#include "openssl.h"

#include <stdint.h>

enum { FINGERPRINT = 32 };

/* tls://[SHA256@]HOST[:PORT] */
typedef struct tls_backend {
    char host[256];
    char port[16];
    /* one certificate is trusted, and nothing else asked of it */
    bool pinned;
    uint8_t fingerprint[FINGERPRINT];
    const char *authorities;            /* a file; NULL: those that the system trusts */
    const char *certificate;            /* of this client; NULL if it has none */
    const char *key;
} tls_backend;

typedef struct tls_connection {
    int fd;                             /* does not wait */
    openssl_connection *tls;
} tls_connection;

/* False if it is none; why is in the text. */
bool tls_parse(tls_backend *to, const char *uri, char *why, size_t limit);

/* Once, for all connections. */
openssl_context *tls_prepare(const tls_backend *to, char *why, size_t limit);

/* Connects, and makes sure that it is the backend that is meant. */
bool tls_connect(tls_connection *connection, openssl_context *context, const tls_backend *to,
                 char *why, size_t limit);

/* Whether the backend wants this client: a connection that is closed at once, in good order. */
bool tls_check(openssl_context *context, const tls_backend *to, char *why, size_t limit);

void tls_close(tls_connection *connection);

#endif
