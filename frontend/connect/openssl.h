/* SPDX-License-Identifier: Apache-2.0
 *
 * The system's OpenSSL, loaded when the program runs: the used part of its documented interface
 * (the manual's pages of that name, OpenSSL 1.1.1 and newer). It is no dependency of the package,
 * and its headers are none of the build.
 */
#ifndef OUTBOARD_OPENSSL_H
#define OUTBOARD_OPENSSL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct openssl_method openssl_method;
typedef struct openssl_context openssl_context;
typedef struct openssl_connection openssl_connection;
typedef struct openssl_certificate openssl_certificate;
typedef struct openssl_digest openssl_digest;
typedef struct openssl_parameters openssl_parameters;

/* Values of its macros. */
enum {
    OPENSSL_CTRL_MODE = 33,                 /* SSL_CTRL_MODE */
    OPENSSL_CTRL_READ_AHEAD = 41,           /* SSL_CTRL_SET_READ_AHEAD */
    OPENSSL_CTRL_HOST_NAME = 55,            /* SSL_CTRL_SET_TLSEXT_HOSTNAME */
    OPENSSL_CTRL_LOWEST = 123,              /* SSL_CTRL_SET_MIN_PROTO_VERSION */
    OPENSSL_TLS_1_3 = 0x0304,
    OPENSSL_PARTIAL_WRITE = 1,              /* SSL_MODE_ENABLE_PARTIAL_WRITE */
    OPENSSL_MOVING_BUFFER = 2,              /* SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER */
    OPENSSL_VERIFY_NONE = 0,
    OPENSSL_VERIFY_PEER = 1,
    OPENSSL_PEM = 1,                        /* SSL_FILETYPE_PEM */
    OPENSSL_ERROR_WANT_READ = 2,
    OPENSSL_ERROR_WANT_WRITE = 3,
    OPENSSL_ERROR_ZERO_RETURN = 6,
    OPENSSL_NOT_YET_VALID = 9,              /* X509_V_ERR_… */
    OPENSSL_EXPIRED = 10,
    OPENSSL_OTHER_NAME = 62,
    OPENSSL_OTHER_ADDRESS = 64,
    OPENSSL_REASON_NOT_TLS = 267,           /* SSL_R_WRONG_VERSION_NUMBER */
    OPENSSL_REASON_WANTS_CERTIFICATE = 1116 /* SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED */
};

/* Its functions; the names are SSL_…, X509_… and ERR_… there. */
typedef struct openssl {
    const openssl_method *(*client_method)(void);
    openssl_context *(*context_new)(const openssl_method *);
    long (*context_control)(openssl_context *, int, long, void *);
    int (*default_authorities)(openssl_context *);
    int (*authorities)(openssl_context *, const char *file, const char *folder);
    int (*certificate)(openssl_context *, const char *file);
    int (*key)(openssl_context *, const char *file, int type);
    int (*check_key)(const openssl_context *);
    void (*verify)(openssl_context *, int, void *);
    void (*read_buffer)(openssl_context *, size_t);
    openssl_connection *(*connection_new)(openssl_context *);
    void (*connection_free)(openssl_connection *);
    long (*control)(openssl_connection *, int, long, void *);
    int (*set_socket)(openssl_connection *, int);
    int (*set_host)(openssl_connection *, const char *);
    openssl_parameters *(*parameters)(openssl_connection *);
    int (*set_address)(openssl_parameters *, const char *);
    int (*connect)(openssl_connection *);
    int (*read)(openssl_connection *, void *, int);
    int (*write)(openssl_connection *, const void *, int);
    int (*shutdown)(openssl_connection *);
    int (*error)(const openssl_connection *, int);
    long (*verify_result)(const openssl_connection *);
    const char *(*verify_text)(long);
    openssl_certificate *(*peer)(const openssl_connection *);
    void (*certificate_free)(openssl_certificate *);
    const openssl_digest *(*sha256)(void);
    int (*digest)(const openssl_certificate *, const openssl_digest *, unsigned char *, unsigned *);
    unsigned long (*next_error)(void);
    void (*clear_errors)(void);
    const char *(*reason)(unsigned long);
} openssl;

extern openssl lib;

/* False if there is none that can be used here; why is in the text. */
bool openssl_load(char *why, size_t limit);

#endif
