# SPDX-License-Identifier: Apache-2.0
"""What is run with PyTorch. Each function prepares a model with random weights and returns what does one step of the work.

The work of decoding is different: its step takes the number of tokens.
"""

import torch


def _resnet():
    import torchvision

    return torchvision.models.resnet50().cuda(), torch.randn(32, 3, 224, 224, device="cuda")


def resnet_infer():
    model, images = _resnet()
    model.eval()

    @torch.no_grad()
    def step():
        model(images)

    return step


def resnet_train():
    model, images = _resnet()
    model.train()
    labels = torch.randint(0, 1000, (32,), device="cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()

    return step


def _gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel

    return GPT2LMHeadModel(GPT2Config()).cuda()


def gpt2_decode():
    model = _gpt2().eval()
    prompt = torch.randint(0, 50000, (1, 16), device="cuda")

    def decode(tokens):
        model.generate(prompt, min_new_tokens=tokens, max_new_tokens=tokens, do_sample=False, pad_token_id=0)

    return decode


def gpt2_train():
    model = _gpt2().train()
    text = torch.randint(0, 50000, (4, 256), device="cuda")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)

    def step():
        optimizer.zero_grad()
        model(text, labels=text).loss.backward()
        optimizer.step()

    return step


def bert_infer():
    from transformers import BertConfig, BertModel

    model = BertModel(BertConfig()).cuda().eval()
    text = torch.randint(0, 30000, (8, 128), device="cuda")

    @torch.no_grad()
    def step():
        model(text)

    return step


def graph_replay():
    step = resnet_infer()
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def _pinned():
    return torch.randn(64 << 20).pin_memory(), torch.empty(64 << 20, device="cuda")


def pinned_down():
    host, device = _pinned()
    return lambda: device.copy_(host, non_blocking=True)


def pinned_up():
    host, device = _pinned()
    return lambda: host.copy_(device, non_blocking=True)


PINNED_BYTES = 4 * (64 << 20)


def start():
    """The first use of the device."""
    torch.zeros(1, device="cuda")
    torch.cuda.synchronize()
