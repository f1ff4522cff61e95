/* SPDX-License-Identifier: Apache-2.0
 *
 * Images in the program's memory (OpenGL 4.6, sections 8.4.4 and 18.2). They travel with rows that
 * follow each other without a gap, and the backend has that form; an image in a buffer has the
 * program's form, which the backend then gets.
 */
#include "gl.h"

#include <stdlib.h>

enum {
    UNPACK_FIRST = 0x0CF0, PACK_FIRST = 0x0D00, PACK_SKIP_IMAGES = 0x806B, COLOR_INDEX = 0x1900,
    BITMAP = 0x1A00, TEXTURE_WIDTH = 0x1000, TEXTURE_HEIGHT = 0x1001, TEXTURE_DEPTH = 0x8071
};

void pixels_begin(struct gl_context *context) {
    for (int way = 0; way < WAYS; way++) {
        context->program[way].figures[PIXEL_ALIGNMENT] = 4;
        context->backend[way].figures[PIXEL_ALIGNMENT] = 4;
    }
}

/* ---- the form's figures by their names in OpenGL */

static bool name_of(int name, enum pixel_way *way, int *figure) {
    if (name >= PACK_SKIP_IMAGES && name < PACK_SKIP_IMAGES + 4) {
        *way = name < PACK_SKIP_IMAGES + 2 ? PACK : UNPACK;
        *figure = (name - PACK_SKIP_IMAGES) % 2 == 0 ? PIXEL_SKIP_IMAGES : PIXEL_IMAGE_HEIGHT;
        return true;
    }
    *way = name >= PACK_FIRST ? PACK : UNPACK;
    *figure = name - (*way == PACK ? PACK_FIRST : UNPACK_FIRST);
    return *figure >= 0 && *figure <= PIXEL_ALIGNMENT;
}

static int name_for(enum pixel_way way, int figure) {
    if (figure <= PIXEL_ALIGNMENT)
        return (way == PACK ? PACK_FIRST : UNPACK_FIRST) + figure;
    return PACK_SKIP_IMAGES + (way == PACK ? 0 : 2) + (figure == PIXEL_IMAGE_HEIGHT);
}

bool pixels_figure(int name, int *value) {
    enum pixel_way way;
    int figure;
    struct gl_context *context = gl_current();
    if (context == NULL || !name_of(name, &way, &figure))
        return false;
    *value = context->program[way].figures[figure];
    return true;
}

void glPixelStorei(int name, int value) {
    enum pixel_way way;
    int figure;
    struct gl_context *context = gl_current();
    if (context == NULL)
        return;
    if (!name_of(name, &way, &figure)) {
        gl_keep(remote_glPixelStorei(name, value, 0));
        return;
    }
    bool aligned = value == 1 || value == 2 || value == 4 || value == 8;
    if (value < 0 || (figure == PIXEL_ALIGNMENT && !aligned)) {
        gl_error(GL_INVALID_VALUE);
        return;
    }
    bool flag = figure == PIXEL_SWAP_BYTES || figure == PIXEL_LSB_FIRST;
    context->program[way].figures[figure] = flag ? value != 0 : value;
}

void glPixelStoref(int name, float value) {
    glPixelStorei(name, (int)(value + (value < 0 ? -0.5f : 0.5f)));
}

/* The backend has this form from now on. */
static void have_form(struct gl_context *context, enum pixel_way way,
                      const struct pixel_form *form) {
    struct pixel_form *there = &context->backend[way];
    for (int i = 0; i < PIXEL_FIGURES; i++)
        if (there->figures[i] != form->figures[i]) {
            there->figures[i] = form->figures[i];
            gl_keep(remote_glPixelStorei(name_for(way, i), form->figures[i], 0));
        }
}

static void have_tight_form(struct gl_context *context, enum pixel_way way) {
    const struct pixel_form *program = &context->program[way];
    const struct pixel_form tight = {{
        [PIXEL_SWAP_BYTES] = program->figures[PIXEL_SWAP_BYTES],
        [PIXEL_LSB_FIRST] = program->figures[PIXEL_LSB_FIRST],
        [PIXEL_ALIGNMENT] = 1,
    }};
    have_form(context, way, &tight);
}

/* ---- where an image lies in the program's memory */

struct image {
    uint64_t rows, images;          /* how many, rows of each image */
    uint64_t row, image, first;     /* bytes from one to the next, and before the first */
    uint64_t tight;                 /* bytes of a row */
};

/* 0 for a type that is not known, or is of single components. */
static uint64_t packed_bytes(int type) {
    switch (type) {
    case 0x8032: case 0x8362: return 1;
    case 0x8033: case 0x8034: case 0x8363: case 0x8364: case 0x8365: case 0x8366: return 2;
    case 0x8035: case 0x8036: case 0x8367: case 0x8368: case 0x84FA: case 0x8C3B: case 0x8C3E:
        return 4;
    case 0x8DAD: return 8;
    default: return 0;
    }
}

static uint64_t component_bytes(int type) {
    switch (type) {
    case 0x1400: case 0x1401: return 1;
    case 0x1402: case 0x1403: case 0x140B: case 0x8D61: return 2;
    case 0x1404: case 0x1405: case 0x1406: return 4;
    default: return 0;
    }
}

static uint64_t components(int format) {
    switch (format) {
    case 0x1900: case 0x1901: case 0x1902: case 0x1903: case 0x1904: case 0x1905: case 0x1906:
    case 0x1909: case 0x8D94: case 0x8D95: case 0x8D96: case 0x8D97: return 1;
    case 0x190A: case 0x8227: case 0x8228: case 0x84F9: return 2;
    case 0x1907: case 0x80E0: case 0x8D98: case 0x8D9A: return 3;
    case 0x1908: case 0x80E1: case 0x8D99: case 0x8D9B: return 4;
    default: return 0;
    }
}

/* False where the format or the type is not known; an image of nothing has no rows. */
static bool measure(struct image *image, const struct pixel_form *form, int width, int height,
                    int depth, int format, int type) {
    const int *figures = form->figures;
    uint64_t unit = packed_bytes(type), count = 1;
    if (unit == 0) {
        unit = component_bytes(type);
        count = components(format);
    }
    bool bits = type == BITMAP;
    if (!bits && unit * count == 0)
        return false;
    memset(image, 0, sizeof *image);
    if (width <= 0 || height <= 0 || depth <= 0)
        return true;
    uint64_t pixels = figures[PIXEL_ROW_LENGTH] > 0 ? (uint64_t)figures[PIXEL_ROW_LENGTH]
                                                    : (uint64_t)width;
    uint64_t alignment = (uint64_t)figures[PIXEL_ALIGNMENT];
    image->row = bits ? (pixels + 7) / 8 : pixels * unit * count;
    if (bits || unit < alignment)
        image->row = (image->row + alignment - 1) / alignment * alignment;
    image->tight = bits ? ((uint64_t)width + 7) / 8 : (uint64_t)width * unit * count;
    image->rows = (uint64_t)height;
    image->images = (uint64_t)depth;
    image->image = image->row * (figures[PIXEL_IMAGE_HEIGHT] > 0
                                     ? (uint64_t)figures[PIXEL_IMAGE_HEIGHT] : image->rows);
    uint64_t skipped = (uint64_t)figures[PIXEL_SKIP_PIXELS];
    image->first = (uint64_t)figures[PIXEL_SKIP_IMAGES] * image->image
                   + (uint64_t)figures[PIXEL_SKIP_ROWS] * image->row
                   + (bits ? skipped / 8 : skipped * unit * count);
    return !bits || skipped % 8 == 0;
}

static uint64_t tight_bytes(const struct image *image) {
    return image->tight * image->rows * image->images;
}

static bool is_tight(const struct image *image) {
    return (image->rows <= 1 || image->row == image->tight)
           && (image->images <= 1 || image->image == image->tight * image->rows);
}

/* Copies rows between the program's memory and a place without gaps. */
static void copy_rows(const struct image *image, uint8_t *program, uint8_t *place, bool back) {
    for (uint64_t z = 0; z < image->images; z++)
        for (uint64_t y = 0; y < image->rows; y++) {
            uint8_t *row = program + image->first + z * image->image + y * image->row;
            uint8_t *tight = place + (z * image->rows + y) * image->tight;
            memcpy(back ? row : tight, back ? tight : row, image->tight);
        }
}

/* ---- to the backend */

struct upload {
    const void *bytes;
    uint64_t count, offset;
    void *copy;
};

/* A size of the program's memory; false where the call has failed. */
static bool begin(struct upload *u, const void *pixels, int width, int height, int depth,
                  int format, int type) {
    struct gl_context *context = gl_current();
    struct image image;
    memset(u, 0, sizeof *u);
    if (context == NULL)
        return false;
    if (context->buffer[UNPACK] != 0) {
        have_form(context, UNPACK, &context->program[UNPACK]);
        u->offset = (uintptr_t)pixels;
        return true;
    }
    if (pixels == NULL)
        return true;
    if (!measure(&image, &context->program[UNPACK], width, height, depth, format, type)) {
        gl_error(GL_INVALID_ENUM);
        return false;
    }
    have_tight_form(context, UNPACK);
    u->count = tight_bytes(&image);
    u->bytes = (const uint8_t *)pixels + image.first;
    if (!is_tight(&image)) {
        u->bytes = u->copy = malloc(u->count);
        if (u->copy == NULL) {
            gl_error(GL_OUT_OF_MEMORY);
            return false;
        }
        copy_rows(&image, (uint8_t *)(uintptr_t)pixels, u->copy, false);
    }
    return true;
}

static void end(struct upload *u, int32_t result) {
    gl_keep(result);
    free(u->copy);
}

#define GIVEN u.bytes, u.count, u.offset, 0

void glTexImage1D(int target, int level, int internalformat, int width, int border, int format,
                  int type, const void *pixels) {
    struct upload u;
    if (begin(&u, pixels, width, 1, 1, format, type))
        end(&u, remote_glTexImage1D(target, level, internalformat, width, border, format, type,
                                    GIVEN));
}

void glTexImage2D(int target, int level, int internalformat, int width, int height, int border,
                  int format, int type, const void *pixels) {
    struct upload u;
    if (begin(&u, pixels, width, height, 1, format, type))
        end(&u, remote_glTexImage2D(target, level, internalformat, width, height, border, format,
                                    type, GIVEN));
}

void glTexImage3D(int target, int level, int internalformat, int width, int height, int depth,
                  int border, int format, int type, const void *pixels) {
    struct upload u;
    if (begin(&u, pixels, width, height, depth, format, type))
        end(&u, remote_glTexImage3D(target, level, internalformat, width, height, depth, border,
                                    format, type, GIVEN));
}

void glTexSubImage1D(int target, int level, int xoffset, int width, int format, int type,
                     const void *pixels) {
    struct upload u;
    if (begin(&u, pixels, width, 1, 1, format, type))
        end(&u, remote_glTexSubImage1D(target, level, xoffset, width, format, type, GIVEN));
}

void glTexSubImage2D(int target, int level, int xoffset, int yoffset, int width, int height,
                     int format, int type, const void *pixels) {
    struct upload u;
    if (begin(&u, pixels, width, height, 1, format, type))
        end(&u, remote_glTexSubImage2D(target, level, xoffset, yoffset, width, height, format,
                                       type, GIVEN));
}

void glTexSubImage3D(int target, int level, int xoffset, int yoffset, int zoffset, int width,
                     int height, int depth, int format, int type, const void *pixels) {
    struct upload u;
    if (begin(&u, pixels, width, height, depth, format, type))
        end(&u, remote_glTexSubImage3D(target, level, xoffset, yoffset, zoffset, width, height,
                                       depth, format, type, GIVEN));
}

void glDrawPixels(int width, int height, int format, int type, const void *pixels) {
    struct upload u;
    if (begin(&u, pixels, width, height, 1, format, type))
        end(&u, remote_glDrawPixels(width, height, format, type, GIVEN));
}

void glBitmap(int width, int height, float xorig, float yorig, float xmove, float ymove,
              const unsigned char *pixels) {
    struct upload u;
    if (begin(&u, pixels, width, height, 1, COLOR_INDEX, BITMAP))
        end(&u, remote_glBitmap(width, height, xorig, yorig, xmove, ymove, GIVEN));
}

/* Of a compressed image the program says how many bytes it has. */
static bool begin_bytes(struct upload *u, const void *pixels, int bytes) {
    struct gl_context *context = gl_current();
    memset(u, 0, sizeof *u);
    if (context == NULL)
        return false;
    if (context->buffer[UNPACK] != 0) {
        u->offset = (uintptr_t)pixels;
    } else if (pixels != NULL && bytes > 0) {
        u->bytes = pixels;
        u->count = (uint64_t)bytes;
    }
    return true;
}

void glCompressedTexImage1D(int target, int level, int internalformat, int width, int border,
                            int imageSize, const void *pixels) {
    struct upload u;
    if (begin_bytes(&u, pixels, imageSize))
        end(&u, remote_glCompressedTexImage1D(target, level, internalformat, width, border,
                                              imageSize, GIVEN));
}

void glCompressedTexImage2D(int target, int level, int internalformat, int width, int height,
                            int border, int imageSize, const void *pixels) {
    struct upload u;
    if (begin_bytes(&u, pixels, imageSize))
        end(&u, remote_glCompressedTexImage2D(target, level, internalformat, width, height, border,
                                              imageSize, GIVEN));
}

void glCompressedTexImage3D(int target, int level, int internalformat, int width, int height,
                            int depth, int border, int imageSize, const void *pixels) {
    struct upload u;
    if (begin_bytes(&u, pixels, imageSize))
        end(&u, remote_glCompressedTexImage3D(target, level, internalformat, width, height, depth,
                                              border, imageSize, GIVEN));
}

void glCompressedTexSubImage1D(int target, int level, int xoffset, int width, int format,
                               int imageSize, const void *pixels) {
    struct upload u;
    if (begin_bytes(&u, pixels, imageSize))
        end(&u, remote_glCompressedTexSubImage1D(target, level, xoffset, width, format, imageSize,
                                                 GIVEN));
}

void glCompressedTexSubImage2D(int target, int level, int xoffset, int yoffset, int width,
                               int height, int format, int imageSize, const void *pixels) {
    struct upload u;
    if (begin_bytes(&u, pixels, imageSize))
        end(&u, remote_glCompressedTexSubImage2D(target, level, xoffset, yoffset, width, height,
                                                 format, imageSize, GIVEN));
}

void glCompressedTexSubImage3D(int target, int level, int xoffset, int yoffset, int zoffset,
                               int width, int height, int depth, int format, int imageSize,
                               const void *pixels) {
    struct upload u;
    if (begin_bytes(&u, pixels, imageSize))
        end(&u, remote_glCompressedTexSubImage3D(target, level, xoffset, yoffset, zoffset, width,
                                                 height, depth, format, imageSize, GIVEN));
}

/* ---- from the backend */

struct download {
    void *bytes;
    uint64_t count, offset;
    struct image image;
    uint8_t *program, *copy;
};

static bool fetch(struct download *d, void *pixels, int width, int height, int depth, int format,
                  int type) {
    struct gl_context *context = gl_current();
    memset(d, 0, sizeof *d);
    if (context == NULL)
        return false;
    if (context->buffer[PACK] != 0) {
        have_form(context, PACK, &context->program[PACK]);
        d->offset = (uintptr_t)pixels;
        return true;
    }
    if (!measure(&d->image, &context->program[PACK], width, height, depth, format, type)) {
        gl_error(GL_INVALID_ENUM);
        return false;
    }
    have_tight_form(context, PACK);
    d->count = tight_bytes(&d->image);
    if (pixels == NULL || d->count > OB_REPLY_MOST - OB_CHUNK) {
        gl_error(pixels == NULL ? GL_INVALID_OPERATION : GL_OUT_OF_MEMORY);
        return false;
    }
    d->program = pixels;
    d->bytes = d->program + d->image.first;
    if (!is_tight(&d->image)) {
        d->bytes = d->copy = malloc(d->count);
        if (d->copy == NULL)
            gl_error(GL_OUT_OF_MEMORY);
    }
    return d->bytes != NULL;
}

static void fetched(struct download *d, int32_t result) {
    gl_keep(result);
    if (d->copy != NULL && result == 0)
        copy_rows(&d->image, d->program, d->copy, true);
    free(d->copy);
}

void glReadPixels(int x, int y, int width, int height, int format, int type, void *pixels) {
    struct download d;
    if (fetch(&d, pixels, width, height, 1, format, type))
        fetched(&d, remote_glReadPixels(x, y, width, height, format, type, d.bytes, d.count,
                                        d.offset, 0));
}

static int level_figure(int target, int level, int name) {
    int value = 0;
    gl_keep(remote_glGetTexLevelParameteriv(target, level, name, &value, 1, 0));
    return value;
}

void glGetTexImage(int target, int level, int format, int type, void *pixels) {
    struct download d;
    if (fetch(&d, pixels, level_figure(target, level, TEXTURE_WIDTH),
              level_figure(target, level, TEXTURE_HEIGHT),
              level_figure(target, level, TEXTURE_DEPTH), format, type))
        fetched(&d, remote_glGetTexImage(target, level, format, type, d.bytes, d.count, d.offset,
                                         0));
}
