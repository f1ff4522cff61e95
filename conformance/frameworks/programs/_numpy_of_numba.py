# SPDX-License-Identifier: Apache-2.0
"""NumPy with names that numba-cuda asks for as it compiles, and that NumPy 2.4 no longer has."""

import numpy

for _old, _new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(numpy, _old):
        setattr(numpy, _old, getattr(numpy, _new))


def __getattr__(name):
    return getattr(numpy, name)
