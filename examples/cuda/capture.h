/* SPDX-License-Identifier: Apache-2.0
 * Reads what the process writes to one of its standard streams. */
#ifndef CAPTURE_H
#define CAPTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <unistd.h>

/* From its creation until text() everything that goes to `descriptor` goes into a file. */
class Capture {
  public:
    explicit Capture(int descriptor) : descriptor(descriptor), file(tmpfile()) {
        fflush(NULL);
        kept = dup(descriptor);
        if (file == NULL || kept < 0 || dup2(fileno(file), descriptor) < 0) {
            perror("capture");
            exit(1);
        }
    }

    std::string text() {
        fflush(NULL);
        dup2(kept, descriptor);
        close(kept);
        std::string text;
        rewind(file);
        for (int c = getc(file); c != EOF; c = getc(file))
            text += static_cast<char>(c);
        fclose(file);
        return text;
    }

  private:
    int descriptor, kept;
    FILE *file;
};

#endif
