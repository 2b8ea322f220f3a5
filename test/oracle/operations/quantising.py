"""Random cases of fake quantisation. Values do not lie halfway between two steps, where the last bit of a product decides."""

import numpy as np

from cases import Case, fed, held, raw


def limits(draw, *shape):
    return -np.abs(draw.values(shape, "float32", "plain")) - np.float32(0.1), np.abs(draw.values(shape, "float32", "plain")) + np.float32(0.1)


def apart(draw, shape, low, high, bits, narrow):
    step = (np.float64(high) - low) / (2**bits - 1 - narrow)
    places = draw.random.integers(-3, 2**bits + 3, shape) + draw.random.uniform(-0.4, 0.4, shape)
    zero = np.round(np.clip(narrow - low / step, narrow, 2**bits - 1))
    return ((places - zero) * step).astype("float32")


def fake(name):
    def case(draw):
        bits, narrow = draw.one(8, 8, 4, 2, 16), draw.chance(0.4)
        shape = [max(1, size) for size in draw.shape(1, 4)]
        if name == "FakeQuantWithMinMaxArgs":
            low, high = (float(value) for value in limits(draw))
            return Case(lambda x: raw.FakeQuantWithMinMaxArgs(inputs=x, min=low, max=high, num_bits=bits, narrow_range=narrow), fed(apart(draw, shape, low, high, bits, narrow)))
        low, high = limits(draw, *([shape[-1]] if name.endswith("PerChannel") else []))
        values = apart(draw, shape, low, high, bits, narrow)
        return Case(lambda x, a, b: getattr(raw, name)(inputs=x, min=a, max=b, num_bits=bits, narrow_range=narrow), fed(values), held(low), held(high))

    return case


FAMILIES = {"fake quantisation": {name: fake(name) for name in ("FakeQuantWithMinMaxArgs", "FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxVarsPerChannel")}}
