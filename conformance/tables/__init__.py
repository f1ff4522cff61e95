# SPDX-License-Identifier: Apache-2.0
"""Tables of programs that run natively and through Outboard: what all of them share."""
