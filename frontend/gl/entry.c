/* SPDX-License-Identifier: Apache-2.0
 *
 * The library as a vendor of the system's libEGL (libglvnd's include/glvnd/libeglabi.h, version
 * 0.1 and later of its interface; the structures are described there). libEGL keeps what is current
 * to a thread, finds our functions by name and calls them.
 */
#include "gl.h"

/* The functions that a vendor has for libEGL; those that are not set are none. */
struct egl_imports {
    EGLDisplay (*platform_display)(int platform, void *native, const intptr_t *attributes);
    unsigned (*supports_api)(int api);
    const char *(*vendor_string)(int name);
    void *(*proc_address)(const char *name);
    void *(*dispatch_address)(const char *name);
    void (*set_dispatch_index)(const char *name, int index);
    void *none[5];
};

enum { MAJOR_SHIFT = 16, PLATFORM_EXTENSIONS = 0 };

/* Names are in order. */
void *egl_find(const char *name) {
    size_t low = 0, high = ob_gl_symbol_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(name, ob_gl_symbols[middle].base);
        if (order == 0)
            return ob_gl_symbols[middle].function;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static const char *vendor_string(int name) {
    return name == PLATFORM_EXTENSIONS ? "EGL_EXT_platform_device EGL_MESA_platform_surfaceless"
                                       : NULL;
}

OB_API unsigned __egl_Main(uint32_t version, const struct egl_exports *exports, void *vendor,
                           struct egl_imports *imports);

unsigned __egl_Main(uint32_t version, const struct egl_exports *exports, void *vendor,
                    struct egl_imports *imports) {
    (void)vendor;
    if (version >> MAJOR_SHIFT != 0)
        return 0;
    egl_dispatches_by(exports);
    imports->platform_display = eglGetPlatformDisplay;
    imports->supports_api = eglBindAPI;
    imports->vendor_string = vendor_string;
    imports->proc_address = egl_find;
    imports->dispatch_address = egl_dispatcher;
    imports->set_dispatch_index = egl_dispatcher_is;
    return EGL_TRUE;
}

__attribute__((constructor)) static void register_library(void) { ob_register(&ob_gl); }
