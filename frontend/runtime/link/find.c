/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the backend and the token: OUTBOARD, outboard.properties, gvirtus.properties, the user's
 * socket, the system's socket, the host of this virtual machine, a port of it.
 */
#include "link/link.h"
#include "link/virtio.h"
#include "link/vsock.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HOST_URI "vsock://2:14900"
enum { HOST_MS = 500 };

static const char *variable(const char *name) {
    const char *value = secure_getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

static char *trim(char *text) {
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* Another user's word, in a folder where everybody writes say, must not lead this one's programs
 * to a backend of that user's. */
static bool may_be_believed(const char *path, FILE *file) {
    struct stat is;
    bool believed = syscall(SYS_fstat, fileno(file), &is) == 0 &&
                    (is.st_uid == geteuid() || is.st_uid == 0) && (is.st_mode & S_IWOTH) == 0;
    if (!believed)
        ob_warn("%s is passed over: it is another user's, or everybody may write it", path);
    return believed;
}

static FILE *open_believed(const char *path) {
    FILE *file = fopen(path, "re");
    if (file == NULL || may_be_believed(path, file))
        return file;
    fclose(file);
    return NULL;
}

/* Reads `key = value` or `key: value`; comments start with # or !. Returns the line's number, 0
 * where there is none. */
static int read_property(const char *path, const char *key, char *to, size_t limit) {
    FILE *file = open_believed(path);
    if (file == NULL)
        return 0;
    char line[1024];
    int number = 0;
    bool found = false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        number++;
        char *text = trim(line);
        char *separator = strpbrk(text, "=:");
        if (*text == '#' || *text == '!' || separator == NULL)
            continue;
        *separator = '\0';
        if (strcmp(trim(text), key) == 0) {
            char *value = trim(separator + 1);
            found = *value != '\0' && strlen(value) < limit;
            if (found)
                strcpy(to, value);
        }
    }
    fclose(file);
    return found ? number : 0;
}

static bool config_path(char *to, size_t limit, const char *name) {
    const char *base = variable("XDG_CONFIG_HOME"), *home = variable("HOME");
    if (base != NULL)
        return (size_t)snprintf(to, limit, "%s/outboard/%s", base, name) < limit;
    return home != NULL &&
           (size_t)snprintf(to, limit, "%s/.config/outboard/%s", home, name) < limit;
}

static bool runtime_path(char *to, size_t limit, const char *name) {
    const char *base = variable("XDG_RUNTIME_DIR");
    return base != NULL && (size_t)snprintf(to, limit, "%s/outboard/%s", base, name) < limit;
}

/* A backend that was started without a runtime folder, after su or by cron, has its socket here. */
static bool state_path(char *to, size_t limit, const char *name) {
    const char *base = variable("XDG_STATE_HOME"), *home = variable("HOME");
    if (base != NULL)
        return (size_t)snprintf(to, limit, "%s/outboard/run/%s", base, name) < limit;
    return home != NULL &&
           (size_t)snprintf(to, limit, "%s/.local/state/outboard/run/%s", home, name) < limit;
}

static bool found_in(endpoint *to, const char *place) {
    snprintf(to->found, sizeof to->found, "%s", place);
    return true;
}

static bool find_in_file(endpoint *to, const char *path, const char *key) {
    int line = read_property(path, key, to->uri, sizeof to->uri);
    if (line > 0)
        snprintf(to->found, sizeof to->found, "%s, line %d", path, line);
    return line > 0;
}

static bool find_in_properties(endpoint *to) {
    char user[512];
    const char *paths[] = {"outboard.properties",
                           config_path(user, sizeof user, "outboard.properties") ? user : NULL,
                           "/etc/outboard/outboard.properties"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i] != NULL && find_in_file(to, paths[i], "backend"))
            return true;
    return false;
}

/* GVirtuS writes unix:PATH as afunix://PATH:MODE. */
static void translate(endpoint *to) {
    static const char scheme[] = "afunix://";
    size_t length = strlen(to->uri), digits = 0;
    if (strncmp(to->uri, scheme, sizeof scheme - 1) != 0)
        return;
    while (digits < length && isdigit((unsigned char)to->uri[length - digits - 1]))
        digits++;
    if (digits > 0 && to->uri[length - digits - 1] == ':')
        to->uri[length - digits - 1] = '\0';
    memmove(to->uri + sizeof "unix:" - 1, to->uri + sizeof scheme - 1,
            strlen(to->uri) - sizeof scheme + 2);
    memcpy(to->uri, "unix:", sizeof "unix:" - 1);
}

static bool find_in_gvirtus(endpoint *to) {
    char installed[512];
    const char *home = variable("GVIRTUS_HOME");
    const char *paths[] = {"gvirtus.properties", installed};
    bool known = home != NULL &&
                 (size_t)snprintf(installed, sizeof installed, "%s/etc/gvirtus.properties", home) <
                     sizeof installed;
    for (size_t i = 0; i < (known ? 2 : 1); i++)
        if (find_in_file(to, paths[i], "communicator")) {
            translate(to);
            return true;
        }
    return false;
}

/* A socket counts only if somebody answers: the file of a backend that was killed stays. */
static bool answers(endpoint *to, const char *path) {
    char why[256];
    snprintf(to->uri, sizeof to->uri, "unix:%s", path);
    to->fd = connect_to(to, why, sizeof why).fd;
    return to->fd >= 0;
}

static bool find_socket(endpoint *to) {
    char user[256], state[256];
    const char *paths[] = {runtime_path(user, sizeof user, "outboard.sock") ? user : NULL,
                           state_path(state, sizeof state, "outboard.sock") ? state : NULL,
                           SYSTEM_SOCKET};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i] != NULL && answers(to, paths[i]))
            return found_in(to, paths[i]);
    return false;
}

/* It wants a token, so without one it is not asked. */
static bool find_host(endpoint *to) {
    const char *wanted = variable("OUTBOARD_VSOCK");
    char token[TOKEN_DIGITS + 1], why[256];
    if ((wanted != NULL && strcmp(wanted, "0") == 0) || !vsock_in_guest() || !find_token(token))
        return false;
    int usual = to->connect_ms;
    snprintf(to->uri, sizeof to->uri, "%s", HOST_URI);
    to->connect_ms = HOST_MS;
    to->fd = connect_to(to, why, sizeof why).fd;
    to->connect_ms = usual;
    return to->fd >= 0 && found_in(to, "/dev/vsock: the host of this virtual machine answers");
}

/* A port of that name was given to this machine for Outboard. The companion that passes programs on
 * through it may not run yet, so nobody is asked. */
static bool find_port(endpoint *to) {
    const char *wanted = variable("OUTBOARD_VIRTIO");
    char token[TOKEN_DIGITS + 1], name[VIRTIO_NAME], device[VIRTIO_NAME];
    if ((wanted != NULL && strcmp(wanted, "0") == 0) || !virtio_find("outboard.*", name, device) ||
        !find_token(token))
        return false;
    to->fd = -1;
    snprintf(to->uri, sizeof to->uri, "virtio:%s", name);
    snprintf(to->found, sizeof to->found,
             "/sys/class/virtio-ports/%s: a port of this virtual machine; no backend was found "
             "over vsock",
             device);
    return true;
}

bool ob_system_socket_is_for_others(void) {
    return access(SYSTEM_SOCKET, W_OK) != 0 && errno == EACCES;
}

void ob_say_no_backend(void) {
    ob_warn("no backend found (looked at OUTBOARD, outboard.properties in ., the user's "
            "configuration folder and /etc/outboard, "
            "$XDG_RUNTIME_DIR/outboard/outboard.sock, "
            "~/.local/state/outboard/run/outboard.sock, " SYSTEM_SOCKET
            "; in a virtual machine with a token also at " HOST_URI " and ports outboard.*)%s; "
            "set OUTBOARD=unix:PATH or OUTBOARD=tcp://HOST:PORT, or use 'outboard run -- PROGRAM'",
            ob_system_socket_is_for_others() ? ": " SYSTEM_SOCKET
                                               " is not for this user: ask its operator for a "
                                               "lease and a URI, or to be in the socket's group"
                                             : "");
}

/* A program that sets the variable for others says in OUTBOARD_FROM, behind the value, whence it
 * has that. */
static const char *place_of(const char *set) {
    const char *from = variable("OUTBOARD_FROM");
    size_t length = strlen(set);
    return from != NULL && strncmp(from, set, length) == 0 && from[length] == ' '
               ? from + length + 1
               : "the variable OUTBOARD";
}

/* outboard-run sets these, and says behind whence it has it what is at their other end. */
const char *backend_name(const endpoint *of) {
    bool passes_on = strncmp(of->uri, "relay:", 6) == 0 || strncmp(of->uri, "tunnel:", 7) == 0;
    const char *last = strrchr(of->found, ' ');
    return passes_on && last != NULL && strstr(last, "://") != NULL ? last + 1 : of->uri;
}

bool find_backend(endpoint *to) {
    const char *set = variable("OUTBOARD");
    to->fd = -1;
    if (set == NULL)
        return find_in_properties(to) || find_in_gvirtus(to) || find_socket(to) || find_host(to) ||
               find_port(to);
    /* One that is too long is cut, and refused as it stands: it must not be passed over in
     * silence. */
    snprintf(to->uri, sizeof to->uri, "%s", set);
    return found_in(to, place_of(set));
}

static bool is_token(const char *text) {
    return strlen(text) == TOKEN_DIGITS && strspn(text, "0123456789abcdefABCDEF") == TOKEN_DIGITS;
}

static bool take_token(char to[TOKEN_DIGITS + 1], char *text) {
    const char *token = trim(text);
    if (!is_token(token))
        return false;
    for (int i = 0; i <= TOKEN_DIGITS; i++)
        to[i] = (char)tolower((unsigned char)token[i]);
    return true;
}

static bool read_token(const char *path, char to[TOKEN_DIGITS + 1]) {
    char line[256];
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    return read && take_token(to, line);
}

bool find_token(char to[TOKEN_DIGITS + 1]) {
    const char *set = variable("OUTBOARD_TOKEN");
    char path[512];
    if (set != NULL) {
        snprintf(path, sizeof path, "%s", set);
        return take_token(to, path);
    }
    return (runtime_path(path, sizeof path, "token") && read_token(path, to)) ||
           (config_path(path, sizeof path, "token") && read_token(path, to));
}
