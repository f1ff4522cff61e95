/* SPDX-License-Identifier: Apache-2.0
 * Loads damaged images, each at the very end of what is mapped; then one that is whole. Prints how
 * often each result came, "RESULT TIMES" a line.
 * usage: images FILE SEED COUNT
 */
#include "case.h"

#include <stdint.h>
#include <sys/mman.h>

static const char WHOLE[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                            ".visible .entry nothing()\n{\nret;\n}\n";

enum { RESULTS = 1000, PAGE = 4096 };

static uint64_t state;
static uint8_t *content;
static size_t size;

static uint64_t random_below(uint64_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % limit;
}

static void read_file(const char *name) {
    FILE *file = fopen(name, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        exit(2);
    size = (size_t)ftell(file);
    rewind(file);
    content = malloc(size);
    if (content == NULL || fread(content, 1, size, file) != size)
        exit(2);
    fclose(file);
}

/* Ends with the page before one that is not mapped, and with a NUL, as PTX must. */
static uint8_t *place(size_t bytes) {
    size_t room = (bytes + 1 + PAGE - 1) / PAGE * PAGE;
    uint8_t *map =
        mmap(NULL, room + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || munmap(map + room, PAGE) != 0)
        exit(2);
    uint8_t *image = map + room - (bytes + 1) / 8 * 8 - 8;
    return image < map ? map : image;
}

static void damage(uint8_t *image, size_t bytes) {
    static const uint64_t likely[] = {
        0,          1,          8,         0x7fffffff, 0xffffffff, UINT64_MAX, UINT64_MAX - 7,
        1ULL << 31, 1ULL << 40, 1ULL << 63};
    size_t head = bytes < 512 ? bytes : 512;
    for (uint64_t i = random_below(4); i < 4; i++) {
        uint64_t word = likely[random_below(10)];
        switch (random_below(5)) {
        case 0: image[random_below(bytes)] ^= (uint8_t)(1u << random_below(8)); break;
        case 1: image[random_below(head)] ^= (uint8_t)(1u << random_below(8)); break;
        case 2: memcpy(image + random_below(head - 8), &word, random_below(2) ? 8 : 4); break;
        case 3: image[random_below(bytes)] = (uint8_t)" \n{}();.,%@[]<0-9"[random_below(17)]; break;
        default:
            memmove(image + random_below(bytes - 64), image + random_below(bytes - 64),
                    random_below(64));
            break;
        }
    }
}

static CUresult load(uint8_t *from, size_t bytes) {
    CUmodule module;
    uint8_t *image = place(bytes);
    memcpy(image, from, bytes);
    if (bytes > 128)
        damage(image, bytes);
    image[bytes] = 0;
    CUresult result = cuModuleLoadData(&module, image);
    if (result == 0)
        must(cuModuleUnload(module), "cuModuleUnload");
    uint8_t *begin = (uint8_t *)((uintptr_t)image & ~(uintptr_t)(PAGE - 1));
    munmap(begin, (size_t)(image - begin) + bytes + 16);
    return result;
}

int main(int argc, char **argv) {
    static unsigned times[RESULTS];
    CUcontext context;
    CUmodule module;
    if (argc != 4)
        return 2;
    read_file(argv[1]);
    state = strtoull(argv[2], NULL, 10);
    must(cuInit(0), "cuInit");
    must(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
    must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    for (int i = atoi(argv[3]); i > 0; i--) {
        size_t bytes = random_below(4) != 0 ? size : 1 + random_below(size);
        times[(unsigned)load(content, bytes) % RESULTS]++;
    }
    must(cuModuleLoadData(&module, WHOLE), "a whole image");
    for (int i = 0; i < RESULTS; i++)
        if (times[i] > 0)
            printf("%d %u\n", i, times[i]);
    return 0;
}
