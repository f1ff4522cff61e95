/* SPDX-License-Identifier: Apache-2.0 */
#include "openssl.h"
#include "base/glibc.h"

#include <dlfcn.h>
#include <stdio.h>

openssl lib;

/* The first name that there is: some functions were renamed in 3.0. */
typedef struct wanted {
    void **to;
    const char *name;
    const char *older;
} wanted;

#define TO(member) ((void **)&lib.member)

static const wanted functions[] = {
    {TO(client_method), "TLS_client_method", NULL},
    {TO(context_new), "SSL_CTX_new", NULL},
    {TO(context_control), "SSL_CTX_ctrl", NULL},
    {TO(default_authorities), "SSL_CTX_set_default_verify_paths", NULL},
    {TO(authorities), "SSL_CTX_load_verify_locations", NULL},
    {TO(certificate), "SSL_CTX_use_certificate_chain_file", NULL},
    {TO(key), "SSL_CTX_use_PrivateKey_file", NULL},
    {TO(check_key), "SSL_CTX_check_private_key", NULL},
    {TO(verify), "SSL_CTX_set_verify", NULL},
    {TO(read_buffer), "SSL_CTX_set_default_read_buffer_len", NULL},
    {TO(connection_new), "SSL_new", NULL},
    {TO(connection_free), "SSL_free", NULL},
    {TO(control), "SSL_ctrl", NULL},
    {TO(set_socket), "SSL_set_fd", NULL},
    {TO(set_host), "SSL_set1_host", NULL},
    {TO(parameters), "SSL_get0_param", NULL},
    {TO(set_address), "X509_VERIFY_PARAM_set1_ip_asc", NULL},
    {TO(connect), "SSL_connect", NULL},
    {TO(read), "SSL_read", NULL},
    {TO(write), "SSL_write", NULL},
    {TO(shutdown), "SSL_shutdown", NULL},
    {TO(error), "SSL_get_error", NULL},
    {TO(verify_result), "SSL_get_verify_result", NULL},
    {TO(verify_text), "X509_verify_cert_error_string", NULL},
    {TO(peer), "SSL_get1_peer_certificate", "SSL_get_peer_certificate"},
    {TO(certificate_free), "X509_free", NULL},
    {TO(sha256), "EVP_sha256", NULL},
    {TO(digest), "X509_digest", NULL},
    {TO(next_error), "ERR_get_error", NULL},
    {TO(clear_errors), "ERR_clear_error", NULL},
    {TO(reason), "ERR_reason_error_string", NULL},
};

static bool bind_all(void *library) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const wanted *w = &functions[i];
        *w->to = dlsym(library, w->name);
        if (*w->to == NULL && w->older != NULL)
            *w->to = dlsym(library, w->older);
        if (*w->to == NULL)
            return false;
    }
    return true;
}

bool openssl_load(char *why, size_t limit) {
    static const char *const names[] = {"libssl.so.3", "libssl.so.1.1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library != NULL && bind_all(library))
            return true;
    }
    snprintf(why, limit,
             "TLS wants the system's OpenSSL, and neither libssl.so.3 nor libssl.so.1.1 can be "
             "loaded: install it (Debian: libssl3, "
             "Red Hat: openssl-libs), or use ssh://");
    return false;
}
