/* SPDX-License-Identifier: Apache-2.0
 *
 * Capabilities that the program has set: they are answered here. That is forgotten where calls set
 * them whose content is not known here: lists that set some, and attributes that come back. Between
 * glBegin and glEnd nothing can be set, and into a list it is only written.
 */
#include "gl.h"

#include <stdatomic.h>

enum {
    POLYGON_OFFSET_FILL = 0x8037, CULL_FACE = 0x0B44, DEPTH_TEST = 0x0B71, STENCIL_TEST = 0x0B90,
    DITHER = 0x0BD0, BLEND = 0x0BE2, SCISSOR_TEST = 0x0C11
};

/* Names that each context has, of whatever version. */
static const int NAMES[] = {
    POLYGON_OFFSET_FILL, CULL_FACE, DEPTH_TEST, STENCIL_TEST, DITHER, BLEND, SCISSOR_TEST
};

/* Some list of the program's begins primitives and does not end them, or ends those of another
 * place: after a call of it nobody here knows whether anything can be set. Contexts share lists. */
static atomic_bool unbalanced;

/* Some list of the program's sets capabilities: after a call of any it is forgotten what they are.
 * Programs that draw each thing by a list, and ask beside that, have none such. */
static atomic_bool lists_set;

static uint32_t bit_of(int name) {
    for (uint32_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (NAMES[i] == name)
            return 1u << i;
    return 0;
}

static bool is_sure(const struct caps *caps) {
    return !caps->begun && !caps->listing && !atomic_load(&unbalanced);
}

static void forget(uint32_t names) {
    struct gl_context *context = gl_current();
    if (context != NULL)
        context->caps.known &= ~names;
}

/* Of a call that sets some: it may go into a list. */
static void note_list(void) {
    const struct gl_context *context = gl_current();
    if (context != NULL && context->caps.listing)
        atomic_store(&lists_set, true);
}

static void note(int name, bool on, int32_t result) {
    struct gl_context *context = gl_current();
    uint32_t bit = bit_of(name);
    gl_keep(result);
    note_list();
    if (context == NULL || bit == 0)
        return;
    struct caps *caps = &context->caps;
    bool known = result == 0 && is_sure(caps);
    caps->known = known ? caps->known | bit : caps->known & ~bit;
    caps->on = on ? caps->on | bit : caps->on & ~bit;
}

/* GL_EXT_vertex_array has its names here, and OpenGL took them since. */
void glEnable(int name) {
    arrays_enable(name, true);
    note(name, true, remote_glEnable(name, 0));
}

void glDisable(int name) {
    arrays_enable(name, false);
    note(name, false, remote_glDisable(name, 0));
}

void glEnablei(int name, int index) {
    note_list();
    forget(bit_of(name));
    gl_keep(remote_glEnablei(name, index, 0));
}

void glDisablei(int name, int index) {
    note_list();
    forget(bit_of(name));
    gl_keep(remote_glDisablei(name, index, 0));
}

unsigned char glIsEnabled(int name) {
    const struct gl_context *context = gl_current();
    if (context != NULL && is_sure(&context->caps) && (context->caps.known & bit_of(name)) != 0)
        return (context->caps.on & bit_of(name)) != 0;
    unsigned char enabled = 0;
    gl_keep(remote_glIsEnabled(name, &enabled, 0));
    return enabled;
}

/* ---- what sets it beside these, and what keeps it from being set */

void glPopAttrib(void) {
    note_list();
    forget(UINT32_MAX);
    gl_keep(remote_glPopAttrib(0));
}

void glCallList(int list) {
    if (atomic_load(&lists_set))
        forget(UINT32_MAX);
    gl_keep(remote_glCallList(list, 0));
}

void glBegin(int mode) {
    struct gl_context *context = gl_current();
    if (context != NULL) {
        struct caps *caps = &context->caps;
        if (caps->listing && caps->begun)
            atomic_store(&unbalanced, true);
        caps->begun = true;
    }
    gl_keep(remote_glBegin(mode, 0));
}

void glEnd(void) {
    struct gl_context *context = gl_current();
    if (context != NULL) {
        struct caps *caps = &context->caps;
        if (caps->listing && !caps->begun)
            atomic_store(&unbalanced, true);
        caps->begun = false;
    }
    gl_keep(remote_glEnd(0));
}

void glNewList(int list, int mode) {
    struct gl_context *context = gl_current();
    if (context != NULL) {
        if (context->caps.begun)
            atomic_store(&unbalanced, true);
        context->caps.listing = true;
        context->caps.known = 0;
    }
    gl_keep(remote_glNewList(list, mode, 0));
}

void glEndList(void) {
    struct gl_context *context = gl_current();
    if (context != NULL) {
        if (context->caps.begun)
            atomic_store(&unbalanced, true);
        context->caps.listing = false;
    }
    gl_keep(remote_glEndList(0));
}
