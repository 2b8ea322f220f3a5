"""Random cases of complex numbers and Fourier transforms. Models take and give real numbers, so each case makes complex ones of two
real tensors and takes them apart."""

import numpy as np
import tensorflow as tf

from cases import Case, Input, fed, raw


def parts(z):
    return raw.Real(input=z), raw.Imag(input=z)


def scale_of(*values):
    return float(max([1.0, *(np.abs(value).sum(-1).max(initial=0) for value in values if value.ndim)]))


def signal(draw, *shape):
    return draw.values(shape, "float32", "plain")


def lengths(draw, low=1):
    return draw.one(low, 2, 3, 4, 5, 8, 11, 16, 25, 32)


def rows(draw):
    return [draw.integer(1, 3) for _ in range(draw.integer(0, 2))]


def real_transform(draw):
    length = lengths(draw)
    x = signal(draw, *rows(draw), length + draw.one(0, 0, 0, 1, 4))
    return Case(lambda x: parts(raw.RFFT(input=x, fft_length=[length])), fed(x), scale=scale_of(x))


def inverse_real_transform(draw):
    length = lengths(draw)
    shape = [*rows(draw), length // 2 + 1 + draw.one(0, 0, 2)]
    x, y = signal(draw, *shape), signal(draw, *shape)
    # What TensorFlow makes of imaginary parts where a real signal has none is not defined.
    y[..., 0] = 0
    if length % 2 == 0:
        y[..., length // 2] = 0
    return Case(lambda x, y: raw.IRFFT(input=raw.Complex(real=x, imag=y), fft_length=[length]), fed(x), fed(y), scale=scale_of(x, y) / length)


def transform(name):
    def case(draw):
        shape = [*rows(draw), lengths(draw)]
        x, y = signal(draw, *shape), signal(draw, *shape)
        scale = scale_of(x, y) / (shape[-1] if name == "IFFT" else 1)

        def build(x, y):
            z = raw.Complex(real=tf.ensure_shape(x, shape), imag=tf.ensure_shape(y, shape))
            return parts(getattr(raw, name)(input=z))

        return Case(build, fed(x), fed(y), scale=max(scale, 1e-3))

    return case


def two(draw, domain="plain"):
    left, right = draw.shapes(2, 0, 3)
    return draw.values(left, "float32", domain), draw.values(right, "float32", domain)


def of_one(build):
    def case(draw):
        x, y = two(draw)
        return Case(lambda x, y: build(raw.Complex(real=x, imag=y)), x, y, scale=1e-3)

    return case


def of_two(build):
    """Two complex tensors, one of them perhaps a constant of the model."""

    def case(draw):
        shape = draw.shape(0, 3)
        x, y = draw.values(shape, "float32", "plain"), draw.values(shape, "float32", "plain")
        other = draw.values([1 if draw.chance(0.3) else size for size in shape], "float32", "plain")
        constant = np.complex64(complex(draw.random.normal(), draw.random.normal())) if draw.chance(0.4) else None

        def compute(x, y, c):
            left = raw.Complex(real=x, imag=y)
            right = tf.constant(constant, tf.complex64, shape=other.shape) if constant is not None else raw.Complex(real=c, imag=c * 0.5)
            return parts(build(left, right))

        return Case(compute, x, y, other, scale=float(np.abs(other).max(initial=1) * max(np.abs(x).max(initial=1), np.abs(y).max(initial=1))))

    return case


def moved(draw):
    shape = [draw.integer(1, 4), draw.integer(1, 4), draw.integer(1, 4)]
    x, y = draw.values(shape, "float32", "plain"), draw.values(shape, "float32", "plain")
    kind = draw.integer(0, 9)

    def build(x, y):
        z = raw.Complex(real=x, imag=y)
        forms = (
            lambda: tf.transpose(z, [2, 0, 1]),
            lambda: tf.reshape(z, [shape[0], -1]),
            lambda: z[:, 1:, ..., tf.newaxis],
            lambda: tf.concat([z, tf.math.conj(z)], 1),
            lambda: tf.stack([z, -z], 2),
            lambda: tf.reverse(z, [1]),
            lambda: tf.pad(z, [[0, 1], [1, 0], [2, 0]]),
            lambda: tf.tile(z, [1, 2, 1]),
            lambda: tf.reduce_sum(z, 1),
            lambda: tf.cast(x, tf.complex64) * z,
        )
        return parts(forms[kind]())

    return Case(build, fed(x), fed(y), scale=10.0)


FAMILIES = {
    "Fourier transforms": {"RFFT": real_transform, "IRFFT": inverse_real_transform, "FFT": transform("FFT"), "IFFT": transform("IFFT")},
    "complex numbers": {
        "ComplexAbs": of_one(lambda z: raw.ComplexAbs(x=z)),
        "Angle": of_one(lambda z: raw.Angle(input=z)),
        "Real": of_one(lambda z: raw.Real(input=z)),
        "Imag": of_one(lambda z: raw.Imag(input=z)),
        "Conj": of_one(lambda z: parts(raw.Conj(input=z))),
        "Complex": of_two(lambda a, b: raw.AddV2(x=a, y=b)),
        "Mul": of_two(lambda a, b: raw.Mul(x=a, y=b)),
        "Sub": of_two(lambda a, b: raw.Sub(x=raw.Exp(x=a / 16.0), y=b)),
        "Transpose": moved,
    },
}
