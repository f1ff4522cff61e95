# SPDX-License-Identifier: Apache-2.0
"""Trains a small model where all is deterministic, and prints each step's loss and at last the weights, exactly: fidelity.py resnet18|gpt2."""

import hashlib
import os
import sys

import say

# cuBLAS is deterministic with this alone: NVIDIA, cuBLAS documentation, 2.1.4 "Results
# reproducibility".
os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
STEPS = 12


def resnet18(torch):
    import torchvision

    model = torchvision.models.resnet18(num_classes=10).cuda().train()
    images = torch.randn(16, 3, 64, 64, device="cuda")
    labels = torch.randint(0, 10, (16,), device="cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    return model, optimizer, lambda: torch.nn.functional.cross_entropy(model(images), labels)


def gpt2(torch):
    from transformers import GPT2Config, GPT2LMHeadModel

    model = GPT2LMHeadModel(GPT2Config(n_layer=4, n_head=4, n_embd=256, vocab_size=2048, attn_implementation="eager")).cuda().train()
    text = torch.randint(0, 2048, (4, 128), device="cuda")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    return model, optimizer, lambda: model(text, labels=text).loss


def digest(model):
    hashed = hashlib.sha256()
    for parameter in model.parameters():
        hashed.update(parameter.detach().cpu().numpy().tobytes())
    return hashed.hexdigest()


def main(prepare):
    import torch

    torch.manual_seed(1)
    # PyTorch reports operations without a deterministic form on standard error; equal numbers prove
    # that these did no harm.
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.backends.cudnn.benchmark = False
    model, optimizer, loss_of_step = prepare(torch)
    for step in range(1, STEPS + 1):
        optimizer.zero_grad()
        loss = loss_of_step()
        loss.backward()
        optimizer.step()
        say.note(f"loss {step}", loss.item().hex())
    say.note("weights", digest(model))


if __name__ == "__main__":
    try:
        main({"resnet18": resnet18, "gpt2": gpt2}[sys.argv[1]])
    except ImportError as error:
        sys.exit(f"not run: {error}")
