/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that load no library of ours, whatever LD_LIBRARY_PATH says: linked statically, set-id,
 * with an RPATH where another driver is, or for musl, whose linker even ends the program when it
 * meets ours (System V ABI, "Program Loading and Dynamic Linking"; ld.so(8)). Anything else about a
 * file is its own affair.
 */
#include "outboard-where.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct image {
    const uint8_t *bytes;
    size_t size;
} image;

typedef struct links {
    bool is_program;            /* of 64 bits */
    bool has_linker;
    bool is_of_musl;
    bool is_library;            /* the dynamic linker itself is one, too */
    const char *rpath;          /* that stands before LD_LIBRARY_PATH; else NULL */
} links;

static const void *at(const image *of, uint64_t offset, uint64_t bytes) {
    return offset <= of->size && bytes <= of->size - offset ? of->bytes + offset : NULL;
}

static const Elf64_Phdr *segment(const image *of, const Elf64_Ehdr *head, int index) {
    return at(of, head->e_phoff + (uint64_t)index * sizeof(Elf64_Phdr), sizeof(Elf64_Phdr));
}

/* The text at an address of the program's memory, NULL if its file has none there. */
static const char *text(const image *of, const Elf64_Ehdr *head, uint64_t address) {
    for (int i = 0; i < head->e_phnum; i++) {
        const Elf64_Phdr *one = segment(of, head, i);
        if (one == NULL || one->p_type != PT_LOAD || address < one->p_vaddr ||
            address - one->p_vaddr >= one->p_filesz)
            continue;
        uint64_t offset = one->p_offset + (address - one->p_vaddr);
        const char *found = at(of, offset, 1);
        return found != NULL && memchr(found, '\0', of->size - offset) != NULL ? found : NULL;
    }
    return NULL;
}

static void read_dynamic(const image *of, const Elf64_Ehdr *head, const Elf64_Phdr *where,
                         links *to) {
    uint64_t strings = 0, rpath = 0;
    bool has_rpath = false, has_runpath = false;
    for (uint64_t i = 0; i < where->p_filesz / sizeof(Elf64_Dyn); i++) {
        const Elf64_Dyn *one = at(of, where->p_offset + i * sizeof *one, sizeof *one);
        if (one == NULL || one->d_tag == DT_NULL)
            break;
        if (one->d_tag == DT_STRTAB)
            strings = one->d_un.d_ptr;
        if (one->d_tag == DT_RPATH)
            rpath = one->d_un.d_val;
        has_rpath = has_rpath || one->d_tag == DT_RPATH;
        has_runpath = has_runpath || one->d_tag == DT_RUNPATH;
        to->is_library = to->is_library || one->d_tag == DT_SONAME;
    }
    if (has_rpath && !has_runpath)
        to->rpath = text(of, head, strings + rpath);
}

/* Whether a program's linker is musl's, as /lib/ld-musl-x86_64.so.1. */
static bool names_musl(const image *of, const Elf64_Phdr *interpreter) {
    const char *name = at(of, interpreter->p_offset, interpreter->p_filesz);
    return name != NULL && memchr(name, '\0', interpreter->p_filesz) != NULL &&
           strstr(name, "/ld-musl-") != NULL;
}

static links read_links(const image *of) {
    links found = {0};
    const Elf64_Ehdr *head = at(of, 0, sizeof *head);
    if (head == NULL || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_phentsize != sizeof(Elf64_Phdr))
        return found;
    found.is_program = true;
    for (int i = 0; i < head->e_phnum; i++) {
        const Elf64_Phdr *one = segment(of, head, i);
        if (one != NULL && one->p_type == PT_INTERP) {
            found.has_linker = true;
            found.is_of_musl = names_musl(of, one);
        }
        if (one != NULL && one->p_type == PT_DYNAMIC)
            read_dynamic(of, head, one, &found);
    }
    return found;
}

/* One folder of an RPATH, with the program's own in place of $ORIGIN. */
static bool expand(const char *folder, size_t length, const char *program, char *to, size_t limit) {
    static const char *const names[] = {"$ORIGIN", "${ORIGIN}"};
    const char *slash = strrchr(program, '/');
    int origin = slash != NULL ? (int)(slash - program) : 0;
    for (size_t i = 0; i < 2; i++) {
        size_t name = strlen(names[i]);
        if (length >= name && strncmp(folder, names[i], name) == 0)
            return snprintf(to, limit, "%.*s%.*s/libcuda.so.1", origin, program,
                            (int)(length - name), folder + name) < (int)limit;
    }
    return snprintf(to, limit, "%.*s/libcuda.so.1", (int)length, folder) < (int)limit;
}

/* The C library's stat and fstat are too young (base/glibc.h). */
static bool status_of(const char *file, struct stat *found) {
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    bool known = fd >= 0 && syscall(SYS_fstat, fd, found) == 0;
    if (fd >= 0)
        close(fd);
    return known;
}

static bool is_other_driver(const char *file, const char *libraries) {
    char ours[PATH_MAX];
    struct stat other, own;
    return status_of(file, &other) &&
           snprintf(ours, sizeof ours, "%s/libcuda.so.1", libraries) < (int)sizeof ours &&
           (!status_of(ours, &own) || own.st_ino != other.st_ino || own.st_dev != other.st_dev);
}

static void look_at_rpath(const char *rpath, const char *program, const char *libraries) {
    char whole[PATH_MAX], driver[PATH_MAX];
    if (realpath(program, whole) == NULL)
        return;
    for (const char *folder = rpath; *folder != '\0';) {
        size_t length = strcspn(folder, ":");
        if (expand(folder, length, whole, driver, sizeof driver) &&
            is_other_driver(driver, libraries)) {
            fprintf(stderr,
                    "outboard: %s would load %s instead of Outboard's: it was linked with an RPATH "
                    "(see: patchelf --remove-rpath)\n",
                    program, driver);
            return;
        }
        folder += length + (folder[length] == ':');
    }
}

/* Whether the program can start. */
static bool look(const image *of, const char *program, mode_t mode, const char *libraries) {
    links found = read_links(of);
    if (!found.is_program)
        return true;
    if (found.is_of_musl)
        fprintf(stderr,
                "outboard: %s uses musl; Outboard's libraries, as NVIDIA's, need glibc\n",
                program);
    else if (!found.has_linker && !found.is_library)
        fprintf(stderr,
                "outboard: %s is linked statically: it cannot load libcuda.so.1; link it "
                "dynamically (a static CUDA runtime is no hindrance)\n",
                program);
    else if ((mode & (S_ISUID | S_ISGID)) != 0)
        fprintf(stderr,
                "outboard: %s runs as another user or group (set-id): the dynamic linker then "
                "ignores LD_LIBRARY_PATH; add Outboard's libraries to /etc/ld.so.conf\n",
                program);
    else if (found.rpath != NULL)
        look_at_rpath(found.rpath, program, libraries);
    return !found.is_of_musl;
}

bool look_at_program(const char *program, const char *libraries) {
    struct stat file;
    bool starts = true;
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return starts;
    if (syscall(SYS_fstat, fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_size > 0) {
        size_t size = (size_t)file.st_size;
        void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) {
            starts = look(&(image){bytes, size}, program, file.st_mode, libraries);
            munmap(bytes, size);
        }
    }
    close(fd);
    return starts;
}
