/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that the transfers' sources name and no case of transfers.c reaches: a call ends the
 * case.
 */
#include <stdlib.h>

#define OTHER(name) \
    void name(void); \
    void name(void) { abort(); }

OTHER(area_read)
OTHER(area_write)
OTHER(clGetImageInfo)
OTHER(memory_type)
OTHER(object_drop)
OTHER(remote_clEnqueueCopyBuffer)
OTHER(remote_clEnqueueReadImage)
OTHER(remote_clEnqueueWriteBufferRect)
OTHER(remote_clEnqueueWriteImage)
OTHER(remote_outboardBulkRead)
OTHER(remote_outboardBulkWrite)
OTHER(remote_outboardWriteStagedImage)
OTHER(remote_outboardWriteStagedRect)
OTHER(shared_box)
OTHER(shared_image_box)
OTHER(shared_read)
OTHER(shared_write)
