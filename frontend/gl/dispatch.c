/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of EGL's extensions, which libEGL does not know: a vendor gives it functions that find
 * the vendor of a call's first argument, which may be another one, and call that one's.
 */
#include "gl.h"

/* The functions that libEGL has for its vendors (libeglabi.h). */
struct egl_exports {
    void (*thread_init)(void);
    unsigned (*current_api)(void);
    void *(*current_vendor)(void);
    void *(*current_context)(void);
    void *(*current_display)(void);
    void *(*current_surface)(int which);
    void *(*entry)(void *vendor, int index);
    void (*set_error)(int error);
    unsigned (*set_last_vendor)(void *vendor);
    void *(*vendor_of_display)(void *display);
    void *(*vendor_of_device)(void *device);
};

static const struct egl_exports *libegl;

void egl_dispatches_by(const struct egl_exports *exports) { libegl = exports; }

int egl_api(void) { return libegl == NULL ? EGL_OPENGL_ES_API : (int)libegl->current_api(); }

enum { QUERY_DEVICE_ATTRIBUTE, QUERY_DEVICE_STRING, DISPATCHED };
static const char *const NAMES[DISPATCHED] = {
    [QUERY_DEVICE_ATTRIBUTE] = "eglQueryDeviceAttribEXT",
    [QUERY_DEVICE_STRING] = "eglQueryDeviceStringEXT",
};
static int indices[DISPATCHED];

/* The function of a device's vendor; NULL where it is nobody's. */
static void *of_device(void *device, int which) {
    libegl->thread_init();
    void *vendor = libegl->vendor_of_device(device);
    if (vendor == NULL || !libegl->set_last_vendor(vendor)) {
        libegl->set_error(EGL_BAD_DEVICE_EXT);
        return NULL;
    }
    return libegl->entry(vendor, indices[which]);
}

static unsigned query_device_attribute(EGLDeviceEXT device, int attribute, intptr_t *value) {
    unsigned (*function)(EGLDeviceEXT, int, intptr_t *) =
        (unsigned (*)(EGLDeviceEXT, int, intptr_t *))of_device(device, QUERY_DEVICE_ATTRIBUTE);
    return function == NULL ? 0 : function(device, attribute, value);
}

static const char *query_device_string(EGLDeviceEXT device, int name) {
    const char *(*function)(EGLDeviceEXT, int) =
        (const char *(*)(EGLDeviceEXT, int))of_device(device, QUERY_DEVICE_STRING);
    return function == NULL ? NULL : function(device, name);
}

static void *const FUNCTIONS[DISPATCHED] = {
    [QUERY_DEVICE_ATTRIBUTE] = (void *)query_device_attribute,
    [QUERY_DEVICE_STRING] = (void *)query_device_string,
};

static int which(const char *name) {
    int at = 0;
    while (at < DISPATCHED && strcmp(NAMES[at], name) != 0)
        at++;
    return at;
}

void *egl_dispatcher(const char *name) {
    int at = which(name);
    return at == DISPATCHED ? NULL : FUNCTIONS[at];
}

void egl_dispatcher_is(const char *name, int index) {
    int at = which(name);
    if (at < DISPATCHED)
        indices[at] = index;
}
