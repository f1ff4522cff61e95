/* SPDX-License-Identifier: Apache-2.0
 *
 * Capabilities, as the program asks for them: after it has set them, after attributes have come
 * back, after lists, between glBegin and glEnd, by index, and in another context. Arrays without a
 * buffer, and attributes that there are not.
 */
#include "gl.h"

enum { CULL = 0x0B44, BLEND = 0x0BE2, COMPILE = 0x1300, COMPILE_AND_EXECUTE = 0x1301, POINTS = 0,
       FLOAT = 0x1406 };

static void set(int name, int on) {
    if (on)
        GL(void, glEnable, int)(name);
    else
        GL(void, glDisable, int)(name);
}

static void ask(const char *when) {
    unsigned char (*enabled)(int) = function("glIsEnabled");
    printf("%s: %d %d, error %x\n", when, enabled(CULL), enabled(BLEND), (unsigned)error());
}

static int list(int mode, int on) {
    int made = GL(int, glGenLists, int)(1);
    GL(void, glNewList, int, int)(made, mode);
    set(CULL, on);
    ask("in a list");
    GL(void, glEndList, void)();
    ask("behind it");
    return made;
}

/* A list that sets nothing: the only one so far. */
static void drawn_by_a_list(void) {
    int made = GL(int, glGenLists, int)(1);
    GL(void, glNewList, int, int)(made, COMPILE);
    GL(void, glBegin, int)(POINTS);
    GL(void, glVertex2f, float, float)(0, 0);
    GL(void, glEnd, void)();
    GL(void, glEndList, void)();
    set(BLEND, 1);
    GL(void, glCallList, int)(made);
    ask("drawn by a list");
    set(BLEND, 0);
    GL(void, glCallList, int)(made);
    ask("drawn again");
}

static void attributes(void) {
    GL(void, glPushAttrib, int)(-1);
    set(CULL, 0);
    ask("kept");
    GL(void, glPopAttrib, void)();
    ask("back");
}

static void by_index(void) {
    set(BLEND, 1);
    GL(void, glDisablei, int, int)(BLEND, 0);
    ask("by index");
    GL(void, glEnablei, int, int)(BLEND, 0);
    ask("by index again");
}

static void inside(void) {
    set(CULL, 1);
    GL(void, glBegin, int)(POINTS);
    set(CULL, 0);
    GL(void, glEnd, void)();
    ask("set inside");
    GL(void, glBegin, int)(77);
    set(CULL, 0);
    ask("begun wrongly");
    GL(void, glEnd, void)();
    ask("ended wrongly");
}

/* A list that begins primitives and one that ends them. */
static void halves(void) {
    int made = GL(int, glGenLists, int)(2);
    GL(void, glNewList, int, int)(made, COMPILE);
    GL(void, glBegin, int)(POINTS);
    GL(void, glEndList, void)();
    GL(void, glNewList, int, int)(made + 1, COMPILE);
    GL(void, glEnd, void)();
    GL(void, glEndList, void)();
    set(CULL, 1);
    GL(void, glCallList, int)(made);
    set(CULL, 0);
    GL(void, glCallList, int)(made + 1);
    ask("set between lists");
}

static void empty_arrays(void) {
    int object = 0, bound = -1;
    void (*point)(int, int, int, unsigned char, int, const void *) =
        function("glVertexAttribPointer");
    static const float here[4];
    GL(void, glGenVertexArrays, int, int *)(1, &object);
    GL(void, glBindVertexArray, int)(object);
    point(1, 4, FLOAT, 0, 0, NULL);
    printf("nowhere %x\n", (unsigned)error());
    GL(void, glGetVertexAttribiv, int, int, int *)(1, 0x889F, &bound);
    printf("buffer %d\n", bound);
    point(1, 4, FLOAT, 0, -1, NULL);
    printf("stride %x\n", (unsigned)error());
    point(99, 4, FLOAT, 0, 0, here);
    printf("index %x\n", (unsigned)error());
    GL(void, glBindVertexArray, int)(0);
}

int main(void) {
    load();
    open_screen(8, 8, NULL);
    ask("at first");
    set(CULL, 1);
    ask("set");
    drawn_by_a_list();
    attributes();
    int off = list(COMPILE, 0);
    GL(void, glCallList, int)(off);
    ask("called");
    list(COMPILE_AND_EXECUTE, 1);
    by_index();
    inside();
    empty_arrays();
    halves();
    set(CULL, 1);
    screen other = open_screen(8, 8, NULL);
    ask("another context");
    close_screen(&other);
    printf("passed\n");
    return 0;
}
