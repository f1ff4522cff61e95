# SPDX-License-Identifier: Apache-2.0
"""Transformers: generation in each cache mode, and training, with models built from configurations."""

from program import Area, package

torch = package("torch")
transformers = package("transformers")
area = Area(
    ("torch", "transformers.models.llama.modeling_llama", "transformers.generation.utils", "transformers.models.bert.modeling_bert"),
    lambda _: torch.cuda.synchronize(),
)
TOKENS = 24


def _llama():
    torch.manual_seed(1)
    config = transformers.LlamaConfig(
        vocab_size=1000, hidden_size=256, intermediate_size=512, num_hidden_layers=4, num_attention_heads=8, num_key_value_heads=2
    )
    model = transformers.LlamaForCausalLM(config).cuda().eval()
    model.generation_config.pad_token_id = 0
    model.generation_config.eos_token_id = None
    return model, torch.randint(1, 1000, (2, 16), device="cuda")


def _generate(run, **how):
    model, prompt = _llama()

    def step():
        torch.manual_seed(3)
        mask = torch.ones_like(prompt)
        how.setdefault("do_sample", False)
        return model.generate(prompt, attention_mask=mask, min_new_tokens=TOKENS, max_new_tokens=TOKENS, **how)

    run.result(step())
    run.time(step)


@area.program()
def dynamic_cache(run):
    _generate(run)


@area.program()
def no_cache(run):
    _generate(run, use_cache=False)


@area.program()
def offloaded_cache(run):
    _generate(run, cache_implementation="offloaded")


@area.program()
def static_cache(run):
    _generate(run, cache_implementation="static", disable_compile=True)


@area.program()
def offloaded_static_cache(run):
    _generate(run, cache_implementation="offloaded_static", disable_compile=True)


@area.program()
def quantised_cache(run):
    _generate(run, cache_implementation="quantized", cache_config={"backend": "quanto", "nbits": 4})


@area.program()
def sampling(run):
    _generate(run, do_sample=True, top_k=50, top_p=0.9)


@area.program()
def beams(run):
    _generate(run, num_beams=4)


@area.program(tolerance=2e-2)
def half_precision_decoder(run):
    model, prompt = _llama()
    model = model.to(torch.bfloat16)
    with torch.inference_mode():
        run.result(model(prompt).logits.float())
        run.time(lambda: model.generate(prompt, do_sample=False, min_new_tokens=8, max_new_tokens=8))


@area.program(tolerance=1e-3)
def encoder(run):
    torch.manual_seed(2)
    config = transformers.BertConfig(vocab_size=1000, hidden_size=256, num_hidden_layers=3, num_attention_heads=4, intermediate_size=512)
    model = transformers.BertModel(config).cuda().eval()
    words = torch.randint(1, 1000, (4, 64), device="cuda")
    with torch.inference_mode():
        run.result(model(words).last_hidden_state)
        run.time(lambda: model(words))


@area.program(tolerance=1e-3)
def training(run):
    model, words = _llama()
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4)

    def step():
        optimizer.zero_grad()
        loss = model(words, labels=words).loss
        loss.backward()
        optimizer.step()
        return loss.detach()

    run.result(torch.stack([step() for _ in range(4)]))
    run.time(step)
