# SPDX-License-Identifier: Apache-2.0
"""PyTorch: every public function of torch.fft, and short-time transforms."""

from program import Area, package

torch = package("torch")
area = Area(("torch", "torchvision"), lambda _: torch.cuda.synchronize())


def _signal(*shape, dtype="float64"):
    torch.manual_seed(1)
    return torch.randn(*shape, device="cuda", dtype=getattr(torch, dtype))


@area.program(tolerance=1e-9)
def one_dimension(run):
    f, x = torch.fft, _signal(64, 1000)

    def step():
        return f.ifft(f.fft(x)), f.irfft(f.rfft(x)), f.hfft(f.rfft(x)), f.ihfft(x)

    run.result(*step(), f.fft(x), f.rfft(x, norm="ortho"), f.fft(x, 1021))
    run.time(step)


@area.program(tolerance=1e-9)
def two_dimensions(run):
    f, x = torch.fft, _signal(4, 96, 100)

    def step():
        return f.fft2(x), f.ifft2(f.fft2(x)), f.rfft2(x), f.irfft2(f.rfft2(x))

    run.result(*step(), f.hfft2(f.rfft2(x)), f.ihfft2(x))
    run.time(step)


@area.program(tolerance=1e-9)
def n_dimensions_and_helpers(run):
    f, x = torch.fft, _signal(12, 20, 24)

    def step():
        return f.fftn(x), f.ifftn(f.fftn(x)), f.rfftn(x), f.irfftn(f.rfftn(x)), f.fftshift(x), f.ifftshift(x)

    run.result(*step(), f.hfftn(f.rfftn(x)), f.ihfftn(x), f.fftfreq(10, device="cuda"), f.rfftfreq(10, device="cuda"))
    run.time(step)


@area.program(tolerance=1e-3)
def half_and_single(run):
    x = _signal(32, 512, dtype="float32")

    def step():
        return torch.fft.rfft(x), torch.fft.rfft(x.half()).to(torch.complex64)

    run.result(*step())
    run.time(step)


@area.program(tolerance=1e-5)
def short_time(run):
    x, window = _signal(4, 8000, dtype="float32"), torch.hann_window(256, device="cuda")

    def step():
        s = torch.stft(x, 256, 64, window=window, return_complex=True)
        return s, torch.istft(s, 256, 64, window=window)

    run.result(*step())
    run.time(step)
