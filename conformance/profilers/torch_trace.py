# SPDX-License-Identifier: Apache-2.0
"""What torch.profiler shows of a small training step, streams, events and a CUDA graph."""

import collections
import json
import os
import sys
import tempfile

import torch
from torch.profiler import ProfilerActivity, profile


def prepare():
    torch.manual_seed(1)
    model = torch.nn.Sequential(
        torch.nn.Linear(256, 512), torch.nn.GELU(), torch.nn.Linear(512, 64)).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
    batch = torch.randn(128, 256)
    pinned = torch.randn(128, 256).pin_memory()
    static = torch.zeros(1024, device="cuda")
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            static.mul_(1.5).add_(1)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(3):
            static.mul_(1.5).add_(1)

    def work():
        event = torch.cuda.Event()
        for data in (batch, pinned):
            optimizer.zero_grad(set_to_none=True)
            loss = model(data.to("cuda", non_blocking=True)).square().mean()
            loss.backward()
            optimizer.step()
        with torch.cuda.stream(stream):
            other = torch.ones(4096, device="cuda").cumsum(0)
            event.record(stream)
        torch.cuda.current_stream().wait_event(event)
        (other * 2).sum()
        event.synchronize()
        stream.synchronize()
        graph.replay()
        torch.zeros(1 << 20, dtype=torch.uint8, device="cuda")
        loss.item()
        torch.cuda.synchronize()

    work()
    return work


def trace(work):
    # torch has the class here, as its own documentation names it.
    options = torch._C._profiler._ExperimentalConfig(enable_cuda_sync_events=True)
    both = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
    with profile(activities=both, experimental_config=options) as profiler:
        work()
    path = os.path.join(tempfile.mkdtemp(), "trace.json")
    profiler.export_chrome_trace(path)
    with open(path) as file:
        return json.load(file)["traceEvents"]


def counted(rows):
    return dict(sorted(collections.Counter(map(str, rows)).items()))


def summary(events):
    whole = [event for event in events if event.get("ph") == "X"]
    kinds = collections.defaultdict(list)
    for event in whole:
        kinds[event.get("cat", "")].append(event)
    owners = {e["args"]["External id"]: e["name"] for e in kinds["cpu_op"]}
    calls = {e["args"]["correlation"]: e for e in kinds["cuda_runtime"] + kinds["cuda_driver"]}
    kernels, early = [], 0
    for event in kinds["kernel"]:
        arguments = event["args"]
        owner = owners.get(arguments.get("External id"), "")
        kernels.append((event["name"], arguments["grid"], arguments["block"], owner))
        call = calls.get(arguments["correlation"])
        early += call is None or event["ts"] < call["ts"]
    work = kinds["kernel"] + kinds["gpu_memcpy"] + kinds["gpu_memset"]
    return {
        "kernels": counted(kernels),
        "copies": counted((e["name"], e["args"]["bytes"]) for e in kinds["gpu_memcpy"]),
        "fills": counted((e["name"], e["args"]["bytes"]) for e in kinds["gpu_memset"]),
        "calls": counted(e["name"] for e in kinds["cuda_runtime"] + kinds["cuda_driver"]),
        "waits": counted(e["name"] for e in kinds["cuda_sync"]),
        "waits on streams that worked": len(
            {e["args"]["stream"] for e in kinds["cuda_sync"]}
            & {e["args"]["stream"] for e in work}),
        "streams": len({e["args"]["stream"] for e in work}),
        "arrows": sum(e.get("ph") == "s" and e.get("cat") == "ac2g" for e in events),
        "before their calls": early,
        "microseconds": sum(e["dur"] for e in kinds["kernel"]),
    }


def main():
    work = prepare()
    trace(work)  # the first session of a process has what starting takes
    with open(sys.argv[1], "w") as file:
        json.dump(summary(trace(work)), file, indent=1)


if __name__ == "__main__":
    main()
