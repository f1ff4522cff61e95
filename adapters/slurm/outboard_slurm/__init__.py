# SPDX-License-Identifier: Apache-2.0
"""Leases for the jobs of Slurm."""
