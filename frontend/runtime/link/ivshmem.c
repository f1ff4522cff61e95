/* SPDX-License-Identifier: Apache-2.0 */
#include "link/ivshmem.h"

#include "base/glibc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEVICES "/sys/bus/pci/devices"
#define VENDOR "0x1af4\n"
#define DEVICE "0x1110\n"

enum { PATH = 300 };            /* as long as a name in a folder may be, and what is around it */

static bool says(const char *device, const char *what, const char *expected) {
    char path[PATH], text[16];
    snprintf(path, sizeof path, DEVICES "/%.255s/%s", device, what);
    FILE *file = fopen(path, "re");
    bool same = file != NULL && fgets(text, sizeof text, file) != NULL &&
                strcmp(text, expected) == 0;
    if (file != NULL)
        fclose(file);
    return same;
}

static void add(ivshmem *all, const char *path) {
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0)
        all->fds[all->count++] = fd;
    else
        all->error = errno;
}

static void add_device(ivshmem *all, const char *device) {
    char path[PATH];
    snprintf(path, sizeof path, DEVICES "/%.255s/resource2", device);
    if (says(device, "vendor", VENDOR) && says(device, "device", DEVICE))
        add(all, path);
}

void ivshmem_open(ivshmem *all) {
    const char *instead = secure_getenv("OUTBOARD_IVSHMEM");
    *all = (ivshmem){.count = 0};
    if (instead != NULL && *instead != '\0') {
        add(all, instead);
        return;
    }
    DIR *devices = opendir(DEVICES);
    if (devices == NULL)
        return;
    for (const struct dirent *one; all->count < IVSHMEM_MOST && (one = readdir(devices)) != NULL;)
        add_device(all, one->d_name);
    closedir(devices);
}

void ivshmem_close(ivshmem *all) {
    while (all->count > 0)
        close(all->fds[--all->count]);
}
