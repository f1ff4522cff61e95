# SPDX-License-Identifier: Apache-2.0
"""PyTorch: inference, attention, streams, graphs, copies, and what programs ask about the device."""

import threading

from program import Area, package

torch = package("torch")
area = Area(("torch", "torchvision"), lambda _: torch.cuda.synchronize())


def _infer(run, model, *inputs):
    with torch.inference_mode():
        run.result(model(*inputs))
        run.time(lambda: model(*inputs))


@area.program(tolerance=1e-3)
def resnet50(run):
    import torchvision

    torch.manual_seed(1)
    _infer(run, torchvision.models.resnet50().cuda().eval(), torch.randn(8, 3, 224, 224, device="cuda"))


@area.program(tolerance=2e-2)
def channels_last_half(run):
    import torchvision

    torch.manual_seed(2)
    model = torchvision.models.mobilenet_v3_small().cuda().half().eval().to(memory_format=torch.channels_last)
    x = torch.randn(16, 3, 128, 128, device="cuda").half().to(memory_format=torch.channels_last)
    _infer(run, model, x)


@area.program(tolerance=1e-3)
def vision_transformer(run):
    import torchvision

    torch.manual_seed(3)
    model = torchvision.models.VisionTransformer(64, 16, 4, 4, 256, 512, num_classes=10).cuda().eval()
    torch.nn.init.normal_(model.heads[0].weight)
    _infer(run, model, torch.randn(16, 3, 64, 64, device="cuda"))


@area.program(tolerance=1e-3)
def scripted(run):
    torch.manual_seed(4)
    nn = torch.nn
    model = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 64), nn.Softmax(-1)).cuda().eval()
    x = torch.randn(128, 256, device="cuda")
    _infer(run, torch.jit.trace(model, x), x)


def _attention(run, backend):
    from torch.nn.attention import SDPBackend, sdpa_kernel

    torch.manual_seed(5)
    q, k, v = (torch.randn(2, 8, 256, 64, device="cuda", dtype=torch.bfloat16, requires_grad=True) for _ in range(3))
    with sdpa_kernel(getattr(SDPBackend, backend)):

        def step():
            y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            return (y.detach(), *torch.autograd.grad(y.float().square().mean(), (q, k, v)))

        run.result(*step())
        run.time(step)


@area.program(tolerance=1e-2)
def attention_flash(run):
    _attention(run, "FLASH_ATTENTION")


@area.program(tolerance=1e-2)
def attention_efficient(run):
    _attention(run, "EFFICIENT_ATTENTION")


@area.program(tolerance=1e-2)
def attention_math(run):
    _attention(run, "MATH")


@area.program(tolerance=1e-2)
def attention_cudnn(run):
    _attention(run, "CUDNN_ATTENTION")


@area.program(tolerance=1e-2)
def decoder_with_a_growing_cache(run):
    torch.manual_seed(6)
    q = torch.randn(1, 16, 1, 64, device="cuda", dtype=torch.bfloat16)
    start = torch.randn(2, 1, 16, 32, 64, device="cuda", dtype=torch.bfloat16)

    def step():
        k, v, y = start[0], start[1], q
        for _ in range(16):
            k, v = torch.cat((k, y), 2), torch.cat((v, y), 2)
            y = torch.nn.functional.scaled_dot_product_attention(y, k, v) + q
        return y.float().sum().item()

    run.result(step())
    run.time(step)


@area.program(tolerance=1e-4)
def graph_replay(run):
    torch.manual_seed(7)
    nn = torch.nn
    model = nn.Sequential(*[layer for _ in range(8) for layer in (nn.Linear(256, 256), nn.ReLU())]).cuda()
    x = torch.randn(64, 256, device="cuda")
    with torch.no_grad():
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            model(x)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y = model(x)
        x.copy_(torch.linspace(-1, 1, x.numel(), device="cuda").view_as(x))
        graph.replay()
        run.result(y)
        run.time(graph.replay)


@area.program(tolerance=1e-3)
def graphed_training(run):
    torch.manual_seed(8)
    nn = torch.nn
    model = nn.Sequential(nn.Linear(128, 256), nn.Dropout(0.1), nn.ReLU(), nn.Linear(256, 10)).cuda()
    x, y = torch.randn(64, 128, device="cuda"), torch.arange(64, device="cuda") % 10
    graphed = torch.cuda.make_graphed_callables(model, (x.clone(),))
    optimizer = torch.optim.SGD(graphed.parameters(), 0.01)

    def step():
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(graphed(x), y)
        loss.backward()
        optimizer.step()
        return loss.detach()

    run.result(torch.stack([step() for _ in range(5)]))
    run.time(step)


@area.program(tolerance=1e-4)
def eight_threads_with_streams(run):
    torch.manual_seed(9)
    parts = [torch.randn(256, 256, device="cuda") / 16 for _ in range(8)]
    torch.cuda.synchronize()
    sums = [None] * len(parts)

    def work(i):
        with torch.cuda.stream(torch.cuda.Stream()):
            x = parts[i]
            for _ in range(40):
                x = torch.tanh(x @ parts[i])
            sums[i] = x.square().sum().item()

    def step():
        threads = [threading.Thread(target=work, args=(i,)) for i in range(len(parts))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    step()
    run.result(*sums)
    run.time(step)


@area.program(tolerance=1e-5)
def streams_and_events(run):
    torch.manual_seed(10)
    x = torch.randn(512, 512, device="cuda")
    streams = [torch.cuda.Stream() for _ in range(4)]

    def step():
        begin, parts = torch.cuda.Event(enable_timing=True), []
        begin.record()
        for i, stream in enumerate(streams):
            stream.wait_event(begin)
            with torch.cuda.stream(stream):
                parts.append((x * (i + 1)).sum(0))
        for stream in streams:
            torch.cuda.current_stream().wait_stream(stream)
        end = torch.cuda.Event(enable_timing=True)
        end.record()
        end.synchronize()
        assert begin.elapsed_time(end) >= 0
        return torch.stack(parts)

    run.result(step())
    run.time(step)


@area.program(tolerance=1e-6)
def loader_with_workers_and_pinned_batches(run):
    from torch.utils.data import DataLoader, TensorDataset

    data = TensorDataset(torch.arange(64 * 4096, dtype=torch.float32).view(64, 4096))
    loader = DataLoader(data, batch_size=8, num_workers=2, pin_memory=True, persistent_workers=True)

    def step():
        total = torch.zeros((), device="cuda", dtype=torch.float64)
        for (batch,) in loader:
            total += batch.to("cuda", non_blocking=True).double().mean()
        return total.item()

    run.result(step())
    run.time(step)


@area.program()
def pinned_copies(run):
    host = torch.arange(16 << 20, dtype=torch.float32).pin_memory()
    back = torch.empty_like(host, pin_memory=True)

    def step():
        back.copy_(host.to("cuda", non_blocking=True) + 1, non_blocking=True)

    step()
    torch.cuda.synchronize()
    run.result(back[:1000], back[-1000:])
    run.time(step)


@area.program()
def pageable_copies(run):
    host = torch.arange(8 << 20, dtype=torch.float32)

    def step():
        return (host.cuda() * 2).cpu()

    run.result(step()[-1000:])
    run.time(step)


@area.program()
def small_copies_back_and_forth(run):
    host = torch.arange(64, dtype=torch.float32)

    def step():
        x = host
        for _ in range(20):
            x = (x.cuda() + 1).cpu()
        return x

    run.result(step())
    run.time(step)


@area.program()
def memory_statistics(run):
    torch.cuda.empty_cache()
    free, total = torch.cuda.mem_get_info()
    assert 0 < free <= total
    before = torch.cuda.memory_allocated()
    x = torch.empty(100 << 20, dtype=torch.uint8, device="cuda")
    taken = torch.cuda.memory_allocated() - before
    del x
    torch.cuda.empty_cache()
    peak = torch.cuda.max_memory_allocated() - before
    try:
        torch.empty(total * 2, dtype=torch.uint8, device="cuda")
        out_of_memory = 0
    except torch.cuda.OutOfMemoryError:
        out_of_memory = 1
    run.result(taken, peak, out_of_memory, torch.cuda.memory_reserved())
    run.time(lambda: torch.cuda.mem_get_info())


@area.program()
def device_properties(run):
    p = torch.cuda.get_device_properties(0)
    run.result(p.major, p.minor, p.multi_processor_count, p.total_memory, p.max_threads_per_multi_processor)
    run.result(p.warp_size, torch.cuda.device_count(), p.L2_cache_size, sum(map(ord, p.name)))
    run.time(lambda: torch.cuda.get_device_capability())


@area.program()
def allocations_of_many_sizes(run):
    def step():
        kept = [torch.full((1 << (i % 20),), float(i), device="cuda") for i in range(100)]
        return torch.stack([x[-1] for x in kept])

    run.result(step())
    run.time(step)


@area.program()
def expandable_segments(run):
    torch.cuda.memory._set_allocator_settings("expandable_segments:True")
    x = [torch.full((5 << 20,), float(i), device="cuda") for i in range(8)]
    run.result(torch.stack([v[-1] for v in x]))
    del x

    def step():
        torch.cuda.empty_cache()
        return torch.ones(64 << 20, device="cuda")[-1]

    run.time(step)


@area.program()
def profiler(run):
    from torch.profiler import ProfilerActivity, profile

    x = torch.ones(1 << 16, device="cuda")
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as seen:
        for _ in range(5):
            x = x + 1
        torch.cuda.synchronize()
    kernels = [e for e in seen.events() if "CUDA" in str(e.device_type)]
    run.result(len(kernels) > 0, x[0])
    run.time(lambda: x + 1)


@area.program()
def device_side_assertion(run):
    try:
        x = torch.zeros(4, device="cuda")
        torch.nn.functional.nll_loss(x.view(1, 4), torch.tensor([9], device="cuda"))
        torch.cuda.synchronize()
        told = 0
    except RuntimeError as error:
        told = 1 + ("device-side assert" in str(error))
    run.result(told)
