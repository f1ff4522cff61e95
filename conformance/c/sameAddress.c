/* SPDX-License-Identifier: Apache-2.0
 *
 * In a guest: maps a part of the memory that it shares with its host at an address of the host's
 * choice, and another part over memory of its own at an address of its choice. In either, both
 * follow each other's pointers; the host's side is SameAddress.java.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PART = 512 << 10, FIRST = 63 << 20, SECOND = FIRST + PART, VALUE = 42 };

typedef struct node {
    struct node *next;
    uint64_t value;
} node;

/* A part begins with the address that it is to have, and has a list behind that. */
typedef struct part {
    uint64_t address;
    node first, second;
} part;

static int open_memory(void) {
    glob_t found;
    char line[16] = "";
    int fd = -1;
    glob("/sys/bus/pci/devices/*", 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s/device", found.gl_pathv[i]);
        FILE *file = fopen(path, "r");
        if (file != NULL && fgets(line, sizeof line, file) != NULL &&
            strcmp(line, "0x1110\n") == 0) {
            snprintf(path, sizeof path, "%s/resource2", found.gl_pathv[i]);
            fd = open(path, O_RDWR);
        }
        if (file != NULL)
            fclose(file);
    }
    globfree(&found);
    return fd;
}

static uint64_t wished(int fd) {
    part *anywhere = mmap(NULL, PART, PROT_READ | PROT_WRITE, MAP_SHARED, fd, FIRST);
    uint64_t address = anywhere != MAP_FAILED ? anywhere->address : 0;
    munmap(anywhere, PART);
    return address;
}

static int at_the_hosts(int fd) {
    void *wish = (void *)(uintptr_t)wished(fd);
    part *here =
        mmap(wish, PART, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, FIRST);
    if (here != wish || here->first.next != &here->second || here->first.next->value != VALUE)
        return 0;
    here->second.next = &here->first;
    return 1;
}

static int at_its_own(int fd) {
    void *own = mmap(NULL, PART, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    part *here = mmap(own, PART, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, SECOND);
    if (own == MAP_FAILED || here != own)
        return 0;
    *here = (part){(uintptr_t)here, {&here->second, 0}, {NULL, VALUE}};
    return 1;
}

int main(void) {
    int fd = open_memory();
    int hosts = fd >= 0 && at_the_hosts(fd), own = fd >= 0 && at_its_own(fd);
    printf("same address: the host's %s, the guest's %s\n", hosts ? "yes" : "no",
           own ? "yes" : "no");
    return hosts && own ? 0 : 1;
}
