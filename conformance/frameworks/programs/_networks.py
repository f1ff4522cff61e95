# SPDX-License-Identifier: Apache-2.0
"""Networks that several programs use; imported by them when they run."""

import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, before, after, time):
        super().__init__()
        self.norm = nn.GroupNorm(min(8, before), before) if before >= 8 else nn.Identity()
        self.first, self.second = nn.Conv2d(before, after, 3, padding=1), nn.Conv2d(after, after, 3, padding=1)
        self.time = nn.Linear(time, after)
        self.short = nn.Conv2d(before, after, 1)

    def forward(self, x, time):
        y = self.first(F.silu(self.norm(x))) + self.time(time)[:, :, None, None]
        return self.second(F.silu(y)) + self.short(x)


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.qkv, self.out = nn.GroupNorm(8, width), nn.Conv2d(width, 3 * width, 1), nn.Conv2d(width, width, 1)

    def forward(self, x):
        rows, width, high, wide = x.shape
        q, k, v = self.qkv(self.norm(x)).view(rows, 3, 4, width // 4, high * wide).transpose(3, 4).unbind(1)
        y = F.scaled_dot_product_attention(q, k, v)
        return x + self.out(y.transpose(2, 3).reshape(rows, width, high, wide))


class UNet(nn.Module):
    """A U-Net with time, as diffusion models have one."""

    def __init__(self, channels, width):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(16, 64), nn.SiLU(), nn.Linear(64, 64))
        self.down = nn.ModuleList([Block(channels, width, 64), Block(width, 2 * width, 64)])
        self.middle, self.attend = Block(2 * width, 2 * width, 64), Attention(2 * width)
        self.up = nn.ModuleList([Block(4 * width, width, 64), Block(2 * width, width, 64)])
        self.out = nn.Conv2d(width, channels, 1)

    def forward(self, x, at):
        rates = torch.arange(1, 9, device=x.device)
        time = self.time(torch.cat((torch.sin(at[:, None] * rates), torch.cos(at[:, None] * rates)), 1))
        kept = []
        for block in self.down:
            x = block(x, time)
            kept.append(x)
            x = F.avg_pool2d(x, 2)
        x = self.attend(self.middle(x, time))
        for block in self.up:
            x = block(torch.cat((F.interpolate(x, scale_factor=2), kept.pop()), 1), time)
        return self.out(x)
