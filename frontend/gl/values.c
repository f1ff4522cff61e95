/* SPDX-License-Identifier: Apache-2.0
 *
 * How many values the names of OpenGL stand for: one but of those that are here.
 */
#include "gl.h"

/* Of llvmpipe's names each was looked at. */
static const struct {
    uint16_t name, count;
} SEVERAL[] = {
    {0x0B00, 4},  /* CURRENT_COLOR */
    {0x0B02, 3},  /* CURRENT_NORMAL */
    {0x0B03, 4},  /* CURRENT_TEXTURE_COORDS */
    {0x0B04, 4},  /* CURRENT_RASTER_COLOR */
    {0x0B06, 4},  /* CURRENT_RASTER_TEXTURE_COORDS */
    {0x0B07, 4},  /* CURRENT_RASTER_POSITION */
    {0x0B12, 2},  /* SMOOTH_POINT_SIZE_RANGE */
    {0x0B22, 2},  /* SMOOTH_LINE_WIDTH_RANGE */
    {0x0B40, 2},  /* POLYGON_MODE */
    {0x0B53, 4},  /* LIGHT_MODEL_AMBIENT */
    {0x0B66, 4},  /* FOG_COLOR */
    {0x0B70, 2},  /* DEPTH_RANGE */
    {0x0B80, 4},  /* ACCUM_CLEAR_VALUE */
    {0x0BA2, 4},  /* VIEWPORT */
    {0x0BA6, 16}, /* MODELVIEW_MATRIX */
    {0x0BA7, 16}, /* PROJECTION_MATRIX */
    {0x0BA8, 16}, /* TEXTURE_MATRIX */
    {0x0C10, 4},  /* SCISSOR_BOX */
    {0x0C22, 4},  /* COLOR_CLEAR_VALUE */
    {0x0C23, 4},  /* COLOR_WRITEMASK */
    {0x0D3A, 2},  /* MAX_VIEWPORT_DIMS */
    {0x0DD0, 2},  /* MAP1_GRID_DOMAIN */
    {0x0DD2, 4},  /* MAP2_GRID_DOMAIN */
    {0x0DD3, 2},  /* MAP2_GRID_SEGMENTS */
    {0x1004, 4},  /* TEXTURE_BORDER_COLOR */
    {0x1200, 4},  /* AMBIENT */
    {0x1201, 4},  /* DIFFUSE */
    {0x1202, 4},  /* SPECULAR */
    {0x1203, 4},  /* POSITION */
    {0x1204, 3},  /* SPOT_DIRECTION */
    {0x1600, 4},  /* EMISSION */
    {0x1602, 4},  /* AMBIENT_AND_DIFFUSE */
    {0x1603, 3},  /* COLOR_INDEXES */
    {0x1800, 4},  /* COLOR */
    {0x2201, 4},  /* TEXTURE_ENV_COLOR */
    {0x2501, 4},  /* OBJECT_PLANE */
    {0x2502, 4},  /* EYE_PLANE */
    {0x8005, 4},  /* BLEND_COLOR */
    {0x8129, 3},  /* POINT_DISTANCE_ATTENUATION */
    {0x825D, 2},  /* VIEWPORT_BOUNDS_RANGE */
    {0x8459, 4},  /* CURRENT_SECONDARY_COLOR */
    {0x845F, 4},  /* CURRENT_RASTER_SECONDARY_COLOR */
    {0x846D, 2},  /* ALIASED_POINT_SIZE_RANGE */
    {0x846E, 2},  /* ALIASED_LINE_WIDTH_RANGE */
    {0x84E3, 16}, /* TRANSPOSE_MODELVIEW_MATRIX */
    {0x84E4, 16}, /* TRANSPOSE_PROJECTION_MATRIX */
    {0x84E5, 16}, /* TRANSPOSE_TEXTURE_MATRIX */
    {0x84E6, 16}, /* TRANSPOSE_COLOR_MATRIX */
    {0x8626, 4},  /* CURRENT_VERTEX_ATTRIB */
    {0x8641, 16}, /* CURRENT_MATRIX_ARB */
    {0x88B7, 16}, /* TRANSPOSE_CURRENT_MATRIX_ARB */
    {0x8C3C, 4},  /* RGBA_SIGNED_COMPONENTS_EXT */
    {0x8E46, 4},  /* TEXTURE_SWIZZLE_RGBA */
    {0x8E50, 2},  /* SAMPLE_POSITION */
    {0x8E73, 2},  /* PATCH_DEFAULT_INNER_LEVEL */
    {0x8E74, 4},  /* PATCH_DEFAULT_OUTER_LEVEL */
    {0x92BE, 8},  /* PRIMITIVE_BOUNDING_BOX */
    {0x9381, 2},  /* MULTISAMPLE_LINE_WIDTH_RANGE */
    {0x9597, 4},  /* DEVICE_UUID_EXT */
    {0x9598, 4},  /* DRIVER_UUID_EXT */
};

/* Lists whose lengths are figures too. */
enum {
    COMPRESSED_TEXTURE_FORMATS = 0x86A3, NUM_COMPRESSED_TEXTURE_FORMATS = 0x86A2,
    PROGRAM_BINARY_FORMATS = 0x87FF, NUM_PROGRAM_BINARY_FORMATS = 0x87FE,
    SHADER_BINARY_FORMATS = 0x8DF8, NUM_SHADER_BINARY_FORMATS = 0x8DF9
};

static int length(int figure) {
    int count = 0;
    gl_keep(remote_glGetIntegerv(figure, &count, 1, 0));
    return count;
}

int gl_values(int name) {
    switch (name) {
    case COMPRESSED_TEXTURE_FORMATS: return length(NUM_COMPRESSED_TEXTURE_FORMATS);
    case PROGRAM_BINARY_FORMATS: return length(NUM_PROGRAM_BINARY_FORMATS);
    case SHADER_BINARY_FORMATS: return length(NUM_SHADER_BINARY_FORMATS);
    default: break;
    }
    for (size_t i = 0; i < sizeof SEVERAL / sizeof *SEVERAL; i++)
        if (SEVERAL[i].name == name)
            return SEVERAL[i].count;
    return 1;
}
