/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices, displays and configurations of EGL.
 */
#include "gl.h"

#include <stdlib.h>

enum {
    PLATFORM_DEVICE = 0x313F, PLATFORM_SURFACELESS = 0x31DD, DEVICE = 0x322C, VENDOR = 0x3053,
    VERSION = 0x3054, CLIENT_APIS = 0x308D, TEXT_ROOM = 16 << 10
};

/* Of displays; with functions that a program would look for there are more. */
static const char *const EXTENSIONS[] = {
    "EGL_EXT_create_context_robustness", "EGL_EXT_pixel_format_float", "EGL_IMG_context_priority",
    "EGL_KHR_config_attribs", "EGL_KHR_context_flush_control", "EGL_KHR_create_context",
    "EGL_KHR_create_context_no_error", "EGL_KHR_get_all_proc_addresses", "EGL_KHR_gl_colorspace",
    "EGL_KHR_no_config_context", "EGL_KHR_surfaceless_context", "EGL_MESA_configless_context",
};

static const char CLIENT_EXTENSIONS[] =
    "EGL_EXT_client_extensions EGL_EXT_device_base EGL_EXT_device_enumeration EGL_EXT_device_query"
    " EGL_EXT_platform_base EGL_EXT_platform_device EGL_MESA_platform_surfaceless"
    " EGL_KHR_client_get_all_proc_addresses";

/* Texts stay as long as the process lives, as programs keep them. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known_text {
    struct known_text *next;
    const void *of;
    int name;
    char text[];
} *texts;

static const char *known(const void *of, int name) {
    pthread_mutex_lock(&lock);
    struct known_text *text = texts;
    while (text != NULL && (text->of != of || text->name != name))
        text = text->next;
    pthread_mutex_unlock(&lock);
    return text == NULL ? NULL : text->text;
}

static const char *keep(const void *of, int name, const char *read) {
    struct known_text *text = malloc(sizeof *text + strlen(read) + 1);
    if (text == NULL) {
        egl_error(EGL_BAD_ALLOC);
        return NULL;
    }
    text->of = of;
    text->name = name;
    strcpy(text->text, read);
    pthread_mutex_lock(&lock);
    text->next = texts;
    texts = text;
    pthread_mutex_unlock(&lock);
    return text->text;
}

static bool is_served(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof EXTENSIONS / sizeof *EXTENSIONS; i++)
        if (strlen(EXTENSIONS[i]) == length && memcmp(EXTENSIONS[i], name, length) == 0)
            return true;
    return false;
}

/* Leaves the extensions that are served. */
static void filter(char *list) {
    char *to = list;
    for (const char *from = list; *from != '\0';) {
        size_t length = strcspn(from, " ");
        if (is_served(from, length)) {
            if (to != list)
                *to++ = ' ';
            memmove(to, from, length);
            to += length;
        }
        from += length;
        from += strspn(from, " ");
    }
    *to = '\0';
}

unsigned eglQueryDevicesEXT(int room, EGLDeviceEXT *devices, int *count) {
    if (count == NULL || (devices != NULL && room <= 0)) {
        egl_error(EGL_BAD_PARAMETER);
        return 0;
    }
    return egl_succeeds(
        remote_eglQueryDevicesEXT(devices == NULL ? 0 : room, devices, count, 0));
}

/* Of a device that only the host has files of none of them is the program's. */
const char *eglQueryDeviceStringEXT(EGLDeviceEXT device, int name) {
    const char *text = known(device, name);
    if (text != NULL)
        return text;
    char read[TEXT_ROOM];
    if (!egl_succeeds(remote_eglQueryDeviceStringEXT(device, name, read, sizeof read, 0)))
        return NULL;
    if (name == EGL_EXTENSIONS)
        read[0] = '\0';
    return keep(device, name, read);
}

unsigned eglQueryDeviceAttribEXT(EGLDeviceEXT device, int attribute, intptr_t *value) {
    (void)device, (void)attribute, (void)value;
    egl_error(EGL_BAD_ATTRIBUTE);
    return 0;
}

unsigned eglQueryDisplayAttribEXT(EGLDisplay display, int attribute, intptr_t *value) {
    if (attribute != DEVICE || value == NULL) {
        egl_error(value == NULL ? EGL_BAD_PARAMETER : EGL_BAD_ATTRIBUTE);
        return 0;
    }
    EGLDeviceEXT device = NULL;
    bool found = egl_succeeds(remote_outboardDisplayDevice(display, &device, 0));
    if (found)
        *value = (intptr_t)device;
    return found;
}

/* The platforms without a window; the default one is that without a device. */
EGLDisplay eglGetPlatformDisplay(int platform, void *native, const intptr_t *attributes) {
    bool device = platform == PLATFORM_DEVICE;
    bool none = platform == PLATFORM_SURFACELESS || platform == EGL_NONE;
    if ((!device && !none) || (none && native != NULL) || (device && native == NULL)
        || (attributes != NULL && attributes[0] != EGL_NONE)) {
        egl_error(EGL_BAD_PARAMETER);
        return NULL;
    }
    EGLDisplay display = NULL;
    return egl_succeeds(remote_eglGetPlatformDisplay(native, &display, 0)) ? display : NULL;
}

unsigned eglInitialize(EGLDisplay display, int *major, int *minor) {
    int version[2] = {0};
    bool done = egl_succeeds(remote_eglInitialize(display, &version[0], &version[1], 0));
    if (done && major != NULL)
        *major = version[0];
    if (done && minor != NULL)
        *minor = version[1];
    return done;
}

unsigned eglTerminate(EGLDisplay display) { return egl_succeeds(remote_eglTerminate(display, 0)); }

const char *eglQueryString(EGLDisplay display, int name) {
    if (display == NULL && name == EGL_EXTENSIONS)
        return CLIENT_EXTENSIONS;
    const char *text = known(display, name);
    if (text != NULL)
        return text;
    char read[TEXT_ROOM];
    if (!egl_succeeds(remote_eglQueryString(display, name, read, sizeof read, 0)))
        return NULL;
    if (name == EGL_EXTENSIONS)
        filter(read);
    return keep(display, name, read);
}

unsigned eglGetConfigs(EGLDisplay display, EGLConfig *configs, int room, int *count) {
    if (count == NULL || room < 0) {
        egl_error(EGL_BAD_PARAMETER);
        return 0;
    }
    return egl_succeeds(
        remote_eglGetConfigs(display, configs, configs == NULL ? 0 : room, count, 0));
}

unsigned eglChooseConfig(EGLDisplay display, const int *attributes, EGLConfig *configs, int room,
                         int *count) {
    if (count == NULL || room < 0) {
        egl_error(EGL_BAD_PARAMETER);
        return 0;
    }
    static const int nothing[] = {EGL_NONE};
    const int *list = attributes == NULL ? nothing : attributes;
    return egl_succeeds(remote_eglChooseConfig(display, list, egl_length(list), configs,
                                               configs == NULL ? 0 : room, count, 0));
}

unsigned eglGetConfigAttrib(EGLDisplay display, EGLConfig config, int attribute, int *value) {
    if (value == NULL) {
        egl_error(EGL_BAD_PARAMETER);
        return 0;
    }
    return egl_succeeds(remote_eglGetConfigAttrib(display, config, attribute, value, 0));
}
