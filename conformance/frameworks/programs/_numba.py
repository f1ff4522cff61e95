# SPDX-License-Identifier: Apache-2.0
"""numba.cuda, which still asks for a name that NumPy 2.5 has no more."""

import numpy

if not hasattr(numpy, "row_stack"):
    numpy.row_stack = numpy.vstack

from numba import cuda  # noqa: E402


def __getattr__(name):
    return getattr(cuda, name)
