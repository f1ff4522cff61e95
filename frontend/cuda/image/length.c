/* SPDX-License-Identifier: Apache-2.0
 *
 * The length of an image that a program hands over as an address alone: a wrapper of a container, a
 * container, an ELF file or PTX text. The wrapper stays behind: it only points to a container.
 */
#include "image/image.h"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WRAPPER_MAGIC = 0x466243B1 };
#define CONTAINER_MAGIC 0xBA55ED50u

typedef struct wrapper {
    uint32_t magic, version;
    const void *container;
    const void *more;
} wrapper;

typedef struct container {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes;             /* behind the header */
} container;

/* The greatest payload: PROTOCOL.md. */
#define IMAGE_LIMIT (2ULL << 30)

/* A damaged image says lengths and places that are not there; mapped memory can be read. */
static bool is_there(const void *from, uint64_t bytes) {
    enum { PAGES = 1024 };
    unsigned char resident[PAGES];
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)from & ~(page - 1),
              end = (uintptr_t)from + bytes;
    if (end < (uintptr_t)from)
        return false;
    for (; at < end; at += PAGES * page) {
        size_t left = end - at < PAGES * page ? end - at : PAGES * page;
        if (mincore((void *)at, left, resident) != 0)
            return false;
    }
    return true;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t container_length(const container *c) {
    if (!is_there(c, sizeof *c))
        return 0;
    return c->header_bytes >= sizeof *c && c->bytes <= IMAGE_LIMIT ? c->header_bytes + c->bytes : 0;
}

static uint64_t part_end(uint64_t offset, uint64_t bytes) {
    return offset + bytes < offset ? UINT64_MAX : offset + bytes;
}

static bool table_is_there(const uint8_t *file, uint64_t offset, uint32_t count, uint32_t entry) {
    return offset <= IMAGE_LIMIT && is_there(file + offset, (uint64_t)count * entry);
}

static uint64_t sections_end(const uint8_t *file, const Elf64_Ehdr *header) {
    uint64_t end = header->e_shoff + (uint64_t)header->e_shnum * header->e_shentsize;
    for (uint32_t i = 0; i < header->e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, file + header->e_shoff + (uint64_t)i * header->e_shentsize,
               sizeof section);
        if (section.sh_type != SHT_NOBITS)
            end = larger(end, part_end(section.sh_offset, section.sh_size));
    }
    return end;
}

static uint64_t segments_end(const uint8_t *file, const Elf64_Ehdr *header) {
    uint64_t end = header->e_phoff + (uint64_t)header->e_phnum * header->e_phentsize;
    for (uint32_t i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, file + header->e_phoff + (uint64_t)i * header->e_phentsize,
               sizeof segment);
        end = larger(end, part_end(segment.p_offset, segment.p_filesz));
    }
    return end;
}

static uint64_t elf_length(const uint8_t *file) {
    Elf64_Ehdr header;
    if (!is_there(file, sizeof header))
        return 0;
    memcpy(&header, file, sizeof header);
    if (!table_is_there(file, header.e_shoff, header.e_shnum, header.e_shentsize) ||
        !table_is_there(file, header.e_phoff, header.e_phnum, header.e_phentsize))
        return 0;
    if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
        (header.e_shnum > 0 && header.e_shentsize < sizeof(Elf64_Shdr)) ||
        (header.e_phnum > 0 && header.e_phentsize < sizeof(Elf64_Phdr)))
        return 0;
    return larger(sizeof header, larger(sections_end(file, &header), segments_end(file, &header)));
}

/* PTX begins with a directive, a comment or white space. */
static uint64_t text_length(const char *text) {
    return strchr("./ \t\r\n", *text) != NULL && *text != '\0' ? strlen(text) + 1 : 0;
}

static uint64_t bare_length(const void *image) {
    uint32_t magic;
    if (*(const uint8_t *)image == (CONTAINER_MAGIC & 0xff)) {
        memcpy(&magic, image, sizeof magic);
        return magic == CONTAINER_MAGIC ? container_length(image) : 0;
    }
    return memcmp(image, ELFMAG, 1) == 0 ? elf_length(image) : text_length(image);
}

uint64_t image_length(const void *image, const void **begin) {
    const wrapper *w = image;
    *begin = image;
    if (*(const uint8_t *)image == (WRAPPER_MAGIC & 0xff) && w->magic == WRAPPER_MAGIC)
        *begin = w->container;
    uint64_t bytes = *begin != NULL && is_there(*begin, 1) ? bare_length(*begin) : 0;
    return bytes <= IMAGE_LIMIT && is_there(*begin, bytes) ? bytes : 0;
}
