# SPDX-License-Identifier: Apache-2.0
"""Kernels of Jupyter that lease GPUs: docs/jupyter.md."""
