# SPDX-License-Identifier: Apache-2.0
"""A small Llama-like decoder (bf16, grouped queries, growing cache, random weights): ms a token.

usage: llm.py [default|cudnn|flash|efficient|math] [tokens]
Natively:          python3 llm.py cudnn
Without a cache:   CUDA_CACHE_DISABLE=1 python3 llm.py cudnn   (native's own slow case)
Through Outboard:  outboard run -- python3 llm.py cudnn
An empty cache for a first run: CUDA_CACHE_PATH=$(mktemp -d)
"""
import sys
import time
from contextlib import nullcontext

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

LAYERS, WIDTH, HEADS, KV_HEADS, HIDDEN, WORDS, PROMPT, WARM = 8, 1024, 16, 4, 2816, 8192, 64, 5
HEAD = WIDTH // HEADS
BACKENDS = {
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "flash": SDPBackend.FLASH_ATTENTION,
    "efficient": SDPBackend.EFFICIENT_ATTENTION,
    "math": SDPBackend.MATH,
}


def rotate(x, at):
    half = HEAD // 2
    rates = 10000.0 ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
    angles = (at + torch.arange(x.shape[2], device=x.device))[:, None] * rates
    sin, cos = angles.sin().to(x.dtype), angles.cos().to(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.between = nn.RMSNorm(WIDTH), nn.RMSNorm(WIDTH)
        self.q = nn.Linear(WIDTH, WIDTH, bias=False)
        self.kv = nn.Linear(WIDTH, 2 * KV_HEADS * HEAD, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH, bias=False)
        self.gate = nn.Linear(WIDTH, HIDDEN, bias=False)
        self.up = nn.Linear(WIDTH, HIDDEN, bias=False)
        self.down = nn.Linear(HIDDEN, WIDTH, bias=False)
        self.cache = None

    def attend(self, x):
        rows, length, _ = x.shape
        at = 0 if self.cache is None else self.cache[0].shape[2]
        q = rotate(self.q(x).view(rows, length, HEADS, HEAD).transpose(1, 2), at)
        k, v = self.kv(x).view(rows, length, 2, KV_HEADS, HEAD).permute(2, 0, 3, 1, 4)
        k = rotate(k, at)
        if self.cache is not None:
            k, v = torch.cat((self.cache[0], k), 2), torch.cat((self.cache[1], v), 2)
        self.cache = (k, v)
        each = HEADS // KV_HEADS
        k, v = k.repeat_interleave(each, 1), v.repeat_interleave(each, 1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=length > 1)
        return self.out(y.transpose(1, 2).reshape(rows, length, WIDTH))

    def forward(self, x):
        x = x + self.attend(self.before(x))
        y = self.between(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.after, self.head = nn.RMSNorm(WIDTH), nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, tokens):
        x = self.words(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.after(x[:, -1]))


def generate(model, tokens, count):
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        tokens = model(tokens).argmax(-1, keepdim=True)
        tokens.item()
        times.append((time.perf_counter() - begin) * 1e3)
    return times


def main():
    choice = sys.argv[1] if len(sys.argv) > 1 else "default"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    torch.manual_seed(1)
    model = Decoder().to("cuda", torch.bfloat16).eval()
    prompt = torch.randint(WORDS, (1, PROMPT), device="cuda")
    attention = nullcontext() if choice == "default" else sdpa_kernel(BACKENDS[choice])
    with torch.inference_mode(), attention:
        first = model(prompt).argmax(-1, keepdim=True)
        warm = generate(model, first, WARM)
        times = sorted(generate(model, first, count))
    print(
        f"llm {choice} {torch.cuda.get_device_name()}: mean {sum(times) / count:.2f} ms a token, "
        f"median {times[count // 2]:.2f}, worst {times[-1]:.2f} over {count} after {WARM} "
        f"({', '.join(f'{t:.0f}' for t in warm)})"
    )


main()
