/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that knows zlib only: writes a compressed file and reads it again. Built with
 * -l:libz.so.1.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As zlib.h has them, which need not be installed. */
typedef struct gzFile_s *gzFile;
gzFile gzopen(const char *path, const char *mode);
int gzread(gzFile file, void *to, unsigned length);
int gzwrite(gzFile file, const void *from, unsigned length);
int gzclose(gzFile file);

enum { BYTES = 5 << 20, PART = 100000 };

int main(int argc, char **argv) {
    uint8_t *bytes = malloc(BYTES), *read = malloc(BYTES + PART);
    if (argc != 2 || bytes == NULL || read == NULL)
        return 2;
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)(i >> (i % 11));
    gzFile file = gzopen(argv[1], "wb");
    if (file == NULL) {
        printf("gzopen: no file\n");
        return 1;
    }
    for (int at = 0; at < BYTES; at += PART)
        if (gzwrite(file, bytes + at, (unsigned)(BYTES - at < PART ? BYTES - at : PART)) <= 0)
            return 1;
    int closed = gzclose(file), got, total = 0;
    file = gzopen(argv[1], "rb");
    while (file != NULL && total <= BYTES && (got = gzread(file, read + total, PART)) > 0)
        total += got;
    printf("%d bytes, %s, closed %d and %d\n", total,
           total == BYTES && memcmp(bytes, read, BYTES) == 0 ? "equal" : "DIFFERENT", closed,
           gzclose(file));
    free(bytes);
    free(read);
    return 0;
}
