"""Random cases of operations that only images know."""

import numpy as np

from cases import Case, Input, fed, raw
from draw import INTEGERS

NUMBERS = ("float32", "float32", "float32", "float64", *INTEGERS)


def image_shape(draw, channels=None):
    return [draw.one(1, 1, 2), draw.integer(1, 9), draw.integer(1, 9), channels or draw.integer(1, 4)]


def colors(draw, shape, dtype="float32"):
    kind = draw.integer(0, 4)
    value = draw.random.random(shape) if kind else draw.random.normal(size=shape) * 3
    if kind == 1:
        value = np.round(value * 4) / 4  # gray, black, two channels of the same value
    elif kind == 2:
        value = np.round(value * 255)
    return value.astype(dtype)


def of_colors(name, second=None):
    def case(draw):
        shape = image_shape(draw, 3) if draw.chance(0.7) else [*draw.shape(1, 3), 3]
        if second is not None and len(shape) < 3:
            shape = [1, *shape, 3]
        images = colors(draw, shape, draw.one("float32", "float32", "float64") if second is None else "float32")
        if second is None:
            return Case(lambda x: getattr(raw, name)(images=x), fed(images), scale=float(np.abs(images).max(initial=1)))
        argument, drawn = second
        return Case(
            lambda x, d: getattr(raw, name)(images=x, **{argument: d}), fed(images), np.float32(drawn(draw)), scale=float(np.abs(images).max(initial=1)) * 10
        )

    return case


def resize(name):
    def case(draw):
        dtype = draw.one("float32", "float32", "float32", "float64", "uint8", "int32", "int8", "int16", "uint16", "int64")
        images = draw.values(image_shape(draw), dtype, "plain")
        corners, half = draw.one((False, False), (True, False), (False, True), (False, True))
        extra = {"align_corners": corners} | ({"half_pixel_centers": half} if name == "ResizeBicubic" else {})
        size = np.int32([draw.integer(1, 15), draw.integer(1, 15)])
        return Case(
            lambda x, s: getattr(raw, name)(images=x, size=s, **extra), fed(images), Input(size, draw.chance(0.1)), scale=float(np.abs(images.astype("float64")).max(initial=1)) * 10
        )

    return case


def scale_and_translate(draw):
    images = draw.values(image_shape(draw), draw.one("float32", "float32", "uint8", "int32"), "plain")
    size = [draw.integer(1, 15), draw.integer(1, 15)]
    if draw.chance(0.6):
        scale, translation = np.divide(size, images.shape[1:3]), [0, 0]
    else:
        scale, translation = draw.random.uniform(0.2, 3, 2), draw.random.uniform(-4, 4, 2)
    kernel = draw.one("lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic")
    antialias = draw.chance(0.7)
    return Case(
        lambda x, s, f, t: raw.ScaleAndTranslate(images=x, size=s, scale=f, translation=t, kernel_type=kernel, antialias=antialias),
        fed(images),
        Input(np.int32(size), draw.chance(0.1)),
        Input(np.float32(scale), draw.chance(0.2)),
        np.float32(translation),
        scale=float(np.abs(images.astype("float64")).max(initial=1)) * 10,
    )


def crop_and_resize(draw):
    images = draw.values(image_shape(draw), draw.one("float32", "float32", "uint8", "int32"), "plain")
    count = draw.integer(0, 5)
    boxes = draw.random.uniform(-0.3, 1.3, [count, 4]).astype("float32")
    if draw.chance(0.4):
        boxes = np.round(boxes * 4).astype("float32") / 4
    owners = draw.random.integers(0, images.shape[0], count).astype("int32")
    if count and draw.chance(0.04):
        owners[0] = draw.one(-1, images.shape[0])
    method, outside = draw.one("bilinear", "bilinear", "nearest"), draw.one(0.0, 0.5, -3.0)
    return Case(
        lambda x, b, o, s: raw.CropAndResize(image=x, boxes=b, box_ind=o, crop_size=s, method=method, extrapolation_value=outside),
        fed(images),
        boxes,
        owners,
        Input(np.int32([draw.integer(1, 7), draw.integer(1, 7)]), draw.chance(0.1)),
        scale=float(np.abs(images.astype("float64")).max(initial=1)) * 10,
    )


def patches(draw):
    images = draw.values(image_shape(draw), draw.one(*NUMBERS))
    three = lambda low, high: [1, draw.integer(low, high), draw.integer(low, high), 1]
    attributes = {"ksizes": three(1, 4), "strides": three(1, 4), "rates": draw.one([1, 1, 1, 1], three(1, 3)), "padding": draw.one("SAME", "VALID")}
    return Case(lambda x: raw.ExtractImagePatches(images=x, **attributes), fed(images))


FAMILIES = {
    "colors": {
        "RGBToHSV": of_colors("RGBToHSV"),
        "HSVToRGB": of_colors("HSVToRGB"),
        "AdjustHue": of_colors("AdjustHue", ("delta", lambda draw: draw.random.uniform(-1, 1))),
        "AdjustSaturation": of_colors("AdjustSaturation", ("scale", lambda draw: draw.random.uniform(0, 3))),
        "AdjustContrastv2": of_colors("AdjustContrastv2", ("contrast_factor", lambda draw: draw.random.uniform(-1, 3))),
    },
    "resampling": {"ResizeBicubic": resize("ResizeBicubic"), "ResizeArea": resize("ResizeArea"), "ScaleAndTranslate": scale_and_translate, "CropAndResize": crop_and_resize},
    "patches": {"ExtractImagePatches": patches},
}
