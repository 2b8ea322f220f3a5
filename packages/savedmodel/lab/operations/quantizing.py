"""Random cases of fake quantization: among the steps, and halfway between two of them, where the last bit of a product decides."""

import numpy as np

from cases import Case, fed, held, raw


def limits(draw, *shape):
    return -np.abs(draw.values(shape, "float32", "plain")) - np.float32(0.1), np.abs(draw.values(shape, "float32", "plain")) + np.float32(0.1)


def stepped(draw, shape, low, high, bits, narrow):
    step = (np.float64(high) - low) / (2**bits - 1 - narrow)
    halfway = draw.chance(0.5)
    places = draw.random.integers(-3, 2**bits + 3, shape) + (0.5 if halfway else draw.random.uniform(-0.4, 0.4, shape))
    zero = np.round(np.clip(narrow - low / step, narrow, 2**bits - 1))
    values = ((places - zero) * step).astype("float32")
    # What is halfway in decimals, and its neighbors among the floats.
    return np.nextafter(values, np.float32(draw.one(-1, 1)) * np.float32(np.inf)) if halfway and draw.chance(0.3) else values


def fake(name):
    def case(draw):
        bits, narrow = draw.one(8, 8, 4, 2, 16), draw.chance(0.4)
        shape = [max(1, size) for size in draw.shape(1, 4)]
        if name == "FakeQuantWithMinMaxArgs":
            low, high = (float(value) for value in limits(draw))
            return Case(lambda x: raw.FakeQuantWithMinMaxArgs(inputs=x, min=low, max=high, num_bits=bits, narrow_range=narrow), fed(stepped(draw, shape, low, high, bits, narrow)))
        low, high = limits(draw, *([shape[-1]] if name.endswith("PerChannel") else []))
        values = stepped(draw, shape, low, high, bits, narrow)
        return Case(lambda x, a, b: getattr(raw, name)(inputs=x, min=a, max=b, num_bits=bits, narrow_range=narrow), fed(values), held(low), held(high))

    return case


FAMILIES = {"fake quantization": {name: fake(name) for name in ("FakeQuantWithMinMaxArgs", "FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxVarsPerChannel")}}
