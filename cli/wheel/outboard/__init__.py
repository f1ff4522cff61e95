# SPDX-License-Identifier: Apache-2.0
"""Runs unmodified CUDA and OpenCL programs on GPUs that are somewhere else."""
