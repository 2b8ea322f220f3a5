"""For each operation that is converted: how a random case of it is drawn. FAMILIES: family → {operation: draw → Case}."""

import numpy as np
import tensorflow as tf

import diagonals
import imaging
import labels
import narrow
import control_flow
import frames
import parsing
import quantizing
import rearranging
import rewritten
import scattering
import signals
import signs
import sparse
import special
import tails
import texts
from cases import Case, Input, fed, held, raw
from draw import FLOATS, INTEGERS
from places import placed

FAMILIES = {**imaging.FAMILIES, **rearranging.FAMILIES, **scattering.FAMILIES, **special.FAMILIES, **control_flow.FAMILIES, **labels.FAMILIES, **frames.FAMILIES, **texts.FAMILIES, **parsing.FAMILIES, **sparse.FAMILIES, **signs.FAMILIES, **quantizing.FAMILIES, **narrow.FAMILIES, **signals.FAMILIES, **diagonals.FAMILIES, **tails.FAMILIES, **rewritten.FAMILIES}
NUMBERS = (*FLOATS, *FLOATS, "float32", "float32", *INTEGERS)


def family(name, **operations):
    FAMILIES[name] = operations


def perhaps_wrong(draw, value, wrong):
    return wrong if draw.chance(0.01) else value


def nhwc(x):
    return tf.transpose(x, [0, 2, 3, 1])


def nchw(x):
    return tf.transpose(x, [0, 3, 1, 2])


# --- windows -------------------------------------------------------------------------------------------------------------------


def image_shape(draw, channels=None):
    batch = 0 if draw.chance(0.02) else draw.one(1, 1, 1, 2)
    height, width = (draw.integer(1, 8) if draw.chance(0.8) else draw.integer(1, 13) for _ in range(2))
    return [batch, height, width, channels or draw.integer(1, 4)]


def spread(draw, values, layout):
    height, width = values
    return [1, 1, height, width] if layout == "NCHW" else [1, height, width, 1]


def window(draw):
    return draw.one(1, 1, 2, 3, 3, 5), draw.one(1, 2, 3, 3, 4)


def explicit(draw, layout):
    top, bottom, left, right = (draw.integer(0, 2) for _ in range(4))
    return [0, 0, 0, 0, top, bottom, left, right] if layout == "NCHW" else [0, 0, top, bottom, left, right, 0, 0]


def windows(draw, *, dilated=1.0, explicitly=True):
    layout = draw.one("NHWC", "NHWC", "NHWC", "NCHW")
    padding = draw.one("SAME", "SAME", "VALID", "EXPLICIT" if explicitly else "SAME")
    strides = draw.one((1, 1), (2, 2), (3, 3), (draw.integer(1, 8), draw.integer(1, 8)))
    dilations = draw.one((1, 1), (1, 1), (2, 2), (draw.integer(1, 3), draw.integer(1, 3))) if draw.chance(dilated) else (1, 1)
    attributes = {"padding": padding, "data_format": layout, "strides": spread(draw, strides, layout)}
    if dilated:
        attributes["dilations"] = spread(draw, dilations, layout)
    if padding == "EXPLICIT":
        attributes["explicit_paddings"] = explicit(draw, layout)
    return layout, attributes


def on_processor(attributes):
    """The same attributes for channels last, which is the only layout that TensorFlow computes on processors."""
    if attributes["data_format"] == "NHWC":
        return attributes
    moved = {**attributes, "data_format": "NHWC"}
    for name in ("strides", "dilations", "ksize"):
        if name in moved:
            a, b, h, w = moved[name]
            moved[name] = [a, h, w, b]
    if "explicit_paddings" in moved:
        pads = moved["explicit_paddings"]
        moved["explicit_paddings"] = [0, 0, *pads[4:], 0, 0]
    return moved


def in_layout(layout, build):
    """build(x, attributes) on images of either layout, computed with channels last."""
    return lambda x, *rest: nchw(build(nhwc(x), *rest)) if layout == "NCHW" else build(x, *rest)


def conv2d(draw):
    layout, attributes = windows(draw)
    groups = draw.one(1, 1, 1, 2, 3)
    channels = draw.integer(1, 3)
    shape = image_shape(draw, channels * groups)
    images = draw.values(shape, draw.one(*["float32"] * 12, "float64"), draw.one("odd", "plain", "plain", "plain"))
    filters = draw.values([*window(draw), perhaps_wrong(draw, channels, channels + 1), draw.integer(1, 3) * groups], images.dtype, "plain")
    return Case(
        lambda x, f: raw.Conv2D(input=x, filter=f, **attributes),
        fed(images.transpose(0, 3, 1, 2) if layout == "NCHW" else images),
        Input(filters, draw.chance(0.15)),
        instead=in_layout(layout, lambda x, f: raw.Conv2D(input=x, filter=f, **on_processor(attributes))),
        scale=product_scale(images, filters),
    )


def depthwise(draw):
    layout, attributes = windows(draw, dilated=0.05)
    stride = draw.integer(1, 5)
    attributes["strides"] = spread(draw, (stride, stride), layout)  # TensorFlow wants both equal
    images = draw.values(image_shape(draw), draw.one(*["float32"] * 12, "float64"), draw.one("odd", "plain", "plain", "plain"))
    filters = draw.values([*window(draw), images.shape[3], draw.integer(1, 3)], images.dtype, "plain")
    return Case(
        lambda x, f: raw.DepthwiseConv2dNative(input=x, filter=f, **attributes),
        fed(images.transpose(0, 3, 1, 2) if layout == "NCHW" else images),
        Input(filters, draw.chance(0.05)),
        instead=in_layout(layout, lambda x, f: raw.DepthwiseConv2dNative(input=x, filter=f, **on_processor(attributes))),
        scale=product_scale(images, filters),
    )


def transposed(draw):
    layout, attributes = windows(draw, dilated=0.05)
    processor = on_processor(attributes)
    filters = draw.values([*window(draw), draw.integer(1, 3), draw.integer(1, 3)], "float32", "plain")
    shape = image_shape(draw, filters.shape[2])
    try:
        gradient = tf.nn.conv2d(np.zeros(shape, np.float32), filters, processor["strides"][1:3], explicit_or_name(processor), dilations=processor["dilations"][1:3]).shape
    except (tf.errors.OpError, ValueError):
        gradient = [shape[0], 1, 1, filters.shape[3]]
    gradient = [gradient[0], *(max(1, size) for size in gradient[1:3]), gradient[3]]  # images of some size
    images = draw.values(gradient, "float32", draw.one("odd", "plain", "plain", "plain"))
    if layout == "NCHW":
        sizes = [shape[0], shape[3], shape[1], shape[2]]
    else:
        sizes = shape[1:3] if draw.chance(0.2) else shape
    sizes = perhaps_wrong(draw, sizes, [size + (axis in ((2, 3) if layout == "NCHW" else (1, 2) if len(sizes) == 4 else (0, 1))) for axis, size in enumerate(sizes)])
    return Case(
        lambda s, f, x: raw.Conv2DBackpropInput(input_sizes=s, filter=f, out_backprop=x, **attributes),
        Input(np.int32(sizes), draw.chance(0.3)),
        Input(filters, draw.chance(0.05)),
        fed(images.transpose(0, 3, 1, 2) if layout == "NCHW" else images),
        instead=lambda s, f, x: (
            nchw(raw.Conv2DBackpropInput(input_sizes=tf.gather(s, [0, 2, 3, 1]), filter=f, out_backprop=nhwc(x), **processor))
            if layout == "NCHW"
            else raw.Conv2DBackpropInput(input_sizes=s, filter=f, out_backprop=x, **processor)
        ),
        scale=product_scale(images, filters),
    )


def explicit_or_name(attributes):
    if attributes["padding"] != "EXPLICIT":
        return attributes["padding"]
    pads = attributes["explicit_paddings"]
    return [[0, 0], pads[2:4], pads[4:6], [0, 0]]


def pool(name, dtypes, domains):
    def case(draw):
        maximum = name == "MaxPool"
        layout, attributes = windows(draw, dilated=0, explicitly=maximum)
        attributes["ksize"] = spread(draw, window(draw), layout)
        images = draw.values(image_shape(draw), draw.one(*dtypes), draw.one(*domains))
        if maximum and images.dtype == "float32" and draw.chance(0.8):
            # Most runs here end at what is not a number.
            images = np.nan_to_num(images, nan=0.0, posinf=np.inf, neginf=-1e30)
        op = getattr(raw, name)
        arguments = lambda x, given: op(**{"input" if maximum else "value": x}, **given)
        return Case(
            lambda x: arguments(x, attributes),
            fed(images.transpose(0, 3, 1, 2) if layout == "NCHW" else images),
            instead=in_layout(layout, lambda x: arguments(x, on_processor(attributes))),
            scale=float(np.abs(images[np.isfinite(images)]).max(initial=0)),
        )

    return case


def bias_add(draw):
    layout = draw.one("NHWC", "NHWC", "NCHW")
    shape = draw.shape(2, 5)
    channels = shape[1 if layout == "NCHW" else -1]
    dtype = draw.one(*NUMBERS)
    return Case(
        lambda x, b: raw.BiasAdd(value=x, bias=b, data_format=layout),
        draw.values(shape, dtype),
        draw.values([perhaps_wrong(draw, channels, channels + 1)], dtype),
    )


def batch_norm(name):
    def case(draw):
        layout = draw.one("NHWC", "NHWC", "NCHW")
        images = draw.values(image_shape(draw), domain=draw.one("odd", "plain", "plain"))
        channels = images.shape[3]
        rest = [draw.values([channels], domain=domain) for domain in ("plain", "plain", "plain", "positive")]
        attributes = {"epsilon": draw.one(1e-3, 1e-4, 0.1), "is_training": draw.chance(0.1)}
        op = lambda x, s, o, m, v, layout: getattr(raw, name)(x=x, scale=s, offset=o, mean=m, variance=v, data_format=layout, **attributes)[0]
        return Case(
            lambda *given: op(*given, layout),
            fed(images.transpose(0, 3, 1, 2) if layout == "NCHW" else images),
            *[Input(value, draw.chance(0.2)) for value in rest],
            instead=in_layout(layout, lambda *given: op(*given, "NHWC")),
            # What cancels out: scale · (image or mean) / deviation.
            scale=product_scale(images, rest[0]) + product_scale(rest[0], rest[2]) * 3,
        )

    return case


def lrn(draw):
    attributes = {"depth_radius": draw.integer(0, 5), "bias": draw.one(1.0, 0.5, 2.0), "alpha": draw.one(1.0, 0.1, 1e-4), "beta": draw.one(0.5, 0.75, 1.0)}
    return Case(lambda x: raw.LRN(input=x, **attributes), fed(draw.values(image_shape(draw), domain=draw.one("odd", "plain", "plain"))), tolerance=1e-4)


def blocks(name):
    def case(draw):
        size = draw.integer(2, 3)
        layout = draw.one("NHWC", "NHWC", "NCHW")
        batch, height, width, channels = image_shape(draw)
        height, width = draw.integer(1, 4), draw.integer(1, 4)
        deep = name == "DepthToSpace"
        channels = perhaps_wrong(draw, channels * size**2, channels) if deep else channels
        height, width = (height, width) if deep else (height * size, perhaps_wrong(draw, width * size, width * size + 1))
        images = draw.values([batch, height, width, channels], draw.one(*NUMBERS))
        op = lambda x, layout: getattr(raw, name)(input=x, block_size=size, data_format=layout)
        return Case(
            lambda x: op(x, layout),
            fed(images.transpose(0, 3, 1, 2) if layout == "NCHW" else images),
            instead=in_layout(layout, lambda x: op(x, "NHWC")),
        )

    return case


family("convolution", Conv2D=conv2d)
family("depthwise convolution", DepthwiseConv2dNative=depthwise)
family("transposed convolution", Conv2DBackpropInput=transposed)
family("pooling", MaxPool=pool("MaxPool", ("float32", "float32", "float64", "int32", "int8", "uint8"), ("any", "odd", "plain")), AvgPool=pool("AvgPool", ("float32",) * 12 + ("float64",), ("any", "odd", "plain")))
family("bias", BiasAdd=bias_add)
family("normalization", FusedBatchNorm=batch_norm("FusedBatchNorm"), FusedBatchNormV2=batch_norm("FusedBatchNormV2"), FusedBatchNormV3=batch_norm("FusedBatchNormV3"), LRN=lrn)
family("blocks", SpaceToDepth=blocks("SpaceToDepth"), DepthToSpace=blocks("DepthToSpace"))

# --- element by element --------------------------------------------------------------------------------------------------------


def extreme(draw, domain):
    return "extreme" if domain == "any" and draw.chance(0.2) else domain


def unary(name, dtypes=FLOATS, domain="any", argument="x", **attributes):
    def case(draw):
        given = {key: value(draw) for key, value in attributes.items()}
        value = draw.values(draw.shape(0, 5), draw.one(*dtypes), extreme(draw, domain))
        return Case(lambda x: getattr(raw, name)(**{argument: x}, **given), value)

    return case


def binary(name, dtypes, domain="any", second=None):
    def case(draw):
        dtype = draw.one(*dtypes)
        left, right = draw.shapes(2, 0, 5)
        given = extreme(draw, domain)
        return Case(lambda x, y: getattr(raw, name)(x=x, y=y), draw.values(left, dtype, given), draw.values(right, dtype, second or given))

    return case


SIGNED = (*FLOATS, *FLOATS, "int8", "int16", "int32", "int64")
ANY = (*NUMBERS, "bool")
family(
    "functions of one float",
    **{name: unary(name) for name in "Sigmoid Tanh Sin Cos Exp Log Log1p Sqrt Rsqrt Reciprocal Inv Floor Ceil Round Rint Erf Erfc IsNan IsInf".split()},
    **{name: unary(name, argument="features") for name in "Relu Relu6 Elu Selu Softplus Softsign".split()},
    LeakyRelu=unary("LeakyRelu", argument="features", alpha=lambda draw: draw.one(0.2, 0.0, 0.01, 1.5, -0.5)),
)
family(
    "functions of one number",
    **{name: unary(name, SIGNED) for name in ("Square", "Neg", "Abs", "Sign")},
    **{name: unary(name, ("int8", "int16", "int32", "int64", "uint8", "uint16"), argument="features") for name in ("Relu", "Relu6")},
    Round=unary("Round", SIGNED),
    Reciprocal=unary("Reciprocal", ("int32", "int64", "float32"), "positive"),
)
family("identities", **{name: unary(name, ANY, argument="input") for name in ("Identity", "StopGradient", "PreventGradient", "Snapshot")})
FAMILIES["identities"] |= {
    "CheckNumerics": lambda draw: Case(lambda x: raw.CheckNumerics(tensor=x, message="m"), fed(draw.values(draw.shape(), domain=draw.one("any", "plain")))),
    "EnsureShape": lambda draw: ensure_shape(draw),
    "IdentityN": lambda draw: Case(lambda x, y: raw.IdentityN(input=[x, y]), draw.values(draw.shape(), draw.one(*ANY)), draw.values(draw.shape(), draw.one(*ANY))),
    "PlaceholderWithDefault": lambda draw: Case(lambda x: raw.PlaceholderWithDefault(input=x, shape=x.shape), draw.values(draw.shape())),
}


def ensure_shape(draw):
    value = draw.values(draw.shape(), draw.one(*ANY))
    shape = [None if draw.chance(0.5) else size for size in value.shape]
    if draw.chance(0.1):
        shape = draw.one([*shape, 1], [7 for _ in shape])
    return Case(lambda x: raw.EnsureShape(input=x, shape=None if draw.chance(0) else shape), value)


family("arithmetic on floats", **{name: binary(name, FLOATS) for name in "Add AddV2 Sub Mul RealDiv Div DivNoNan FloorDiv FloorMod Maximum Minimum Pow SquaredDifference".split()})
family(
    "arithmetic on integers",
    **{name: binary(name, INTEGERS) for name in "Add AddV2 Sub Mul Maximum Minimum".split()},
    **{name: binary(name, INTEGERS, draw) for name in ("Div", "FloorDiv", "FloorMod") for draw in ("any",)},
    SquaredDifference=binary("SquaredDifference", ("int32", "int64")),
    Pow=binary("Pow", ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"), "any", "any"),
)
FAMILIES["arithmetic on integers"] |= {
    f"{name} by positive": (lambda name: lambda draw: binary(name, INTEGERS, "any", "positive")(draw))(name) for name in ("Div", "FloorDiv", "FloorMod", "Pow")
}


def ones_and_ends(draw):
    """C's power of 1 is 1 whatever the exponent is, and ECMAScript's is not."""
    dtype, shape = draw.one(*FLOATS), draw.shape(0, 3)
    base, exponent = draw.random.choice([1, -1, 0, 2, np.nan, np.inf], shape), draw.random.choice([np.nan, np.inf, -np.inf, 0, 1, 3], shape)
    return Case(lambda x, y: raw.Pow(x=x, y=y), base.astype(dtype), exponent.astype(dtype))


def multiples(name):
    """Quotients next to integers: rounded to the element type they are one."""

    def case(draw):
        dtype, shape = draw.one(*FLOATS), draw.shape(0, 3)
        step = np.dtype(dtype).type(draw.one(0.1, 0.3, 0.7, 1 / 3, -0.1))
        return Case(lambda x, y: getattr(raw, name)(x=x, y=y), (draw.random.integers(-50, 50, shape) / 10).astype(dtype), step)

    return case


def nothing_by_zero(name):
    def case(draw):
        value = draw.values([0, 3], draw.one(*INTEGERS))
        return Case(lambda x, y: getattr(raw, name)(x=x, y=y), value, held(np.zeros([], value.dtype)))

    return case


FAMILIES["arithmetic on integers"] |= {f"{name} of nothing by zero": nothing_by_zero(name) for name in ("Div", "FloorDiv", "FloorMod")}
FAMILIES["arithmetic on floats"] |= {"Pow of ones": ones_and_ends, "FloorDiv of multiples": multiples("FloorDiv"), "FloorMod of multiples": multiples("FloorMod")}
family(
    "comparison",
    **{name: binary(name, NUMBERS) for name in "Less LessEqual Greater GreaterEqual".split()},
    **{name: binary(name, ANY) for name in ("Equal", "NotEqual")},
)


def rounded_equal(name):
    def case(draw):
        dtype = draw.one(*ANY)
        value = draw.values(draw.shape(), dtype)
        other = np.where(draw.random.random(value.shape) < 0.5, value, draw.values(value.shape, dtype))
        return Case(lambda x, y: getattr(raw, name)(x=x, y=y), value, other.astype(value.dtype))

    return case


FAMILIES["comparison"] |= {f"{name} of the same": rounded_equal(name) for name in "Less LessEqual Greater GreaterEqual Equal NotEqual".split()}
family("logic", LogicalAnd=binary("LogicalAnd", ("bool",)), LogicalOr=binary("LogicalOr", ("bool",)), LogicalNot=unary("LogicalNot", ("bool",)))


def select(draw):
    value = draw.values(draw.shape(), draw.one(*ANY))
    rows = value.ndim > 0 and draw.chance(0.4)
    condition = draw.values([] if draw.chance(0.2) else [perhaps_wrong(draw, value.shape[0], value.shape[0] + 1)] if rows else value.shape, "bool")
    return Case(lambda c, x, y: raw.Select(condition=c, x=x, y=y), condition, value, draw.values(value.shape, value.dtype))


def select_v2(draw):
    a, b, c = draw.shapes(3, 0, 4)
    dtype = draw.one(*ANY)
    return Case(lambda c, x, y: raw.SelectV2(condition=c, t=x, e=y), draw.values(a, "bool"), draw.values(b, dtype), draw.values(c, dtype))


def clip(draw):
    value = draw.values(draw.shape(), draw.one(*NUMBERS), draw.one("any", "extreme"))
    shape = [] if draw.chance(0.6) else value.shape
    domain = draw.one("plain", "plain", "any", "odd")
    low, high = (draw.values(shape, value.dtype, domain) for _ in range(2))
    return Case(lambda x, a, b: raw.ClipByValue(t=x, clip_value_min=a, clip_value_max=b), value, low, high)


def add_n(draw):
    shape, dtype = draw.shape(), draw.one(*NUMBERS)
    return Case(lambda *given: raw.AddN(inputs=given), *[draw.values(shape, dtype) for _ in range(draw.integer(1, 4))], scale=10.0)


def cast(draw):
    source, target = draw.one(*ANY), draw.one(*ANY)
    value = draw.values(draw.shape(), source, draw.one("any", "extreme"))
    wide = target in ("int32", "int64", "uint64")
    if np.dtype(source).kind == "f" and np.dtype(target).kind in "iu" and draw.chance(0.3 if wide else 0.9):
        limits = np.iinfo(target)
        low, high = max(limits.min, -(2**62)), min(limits.max, 2**62)
        value = np.clip(np.nan_to_num(value), low, high * (1 - 2**-20) if high > 2**20 else high).astype(source)
    # What does not fit the other types depends on the element's place in the tensor: vector instructions saturate, others wrap around.
    undefined = np.dtype(source).kind == "f" and np.dtype(target).kind in "iu" and not wide and not fits(value, target)
    return Case(lambda x: raw.Cast(x=x, DstT=tf.as_dtype(target)), value, error="a float does not fit" if undefined else None)


def fits(value, target):
    limits = np.iinfo(target)
    with np.errstate(invalid="ignore"):
        whole = np.trunc(value.astype("float64"))
        return bool(np.all((whole >= limits.min) & (whole <= limits.max)))


def cast_chain(draw):
    """onnxruntime makes one cast of several."""
    source, between, target = draw.one("float32", "float64", "int32", "int64", "uint8"), draw.one(*INTEGERS, "float32"), draw.one(*INTEGERS)
    value = np.clip(draw.values(draw.shape(), source, "plain") * np.dtype(source).type(97), -(2**20) if between != "uint32" else 0, 2**20)
    if np.dtype(source).kind == "f":
        limits = np.iinfo(between) if between != "float32" else np.iinfo(target)
        value = np.clip(value, max(limits.min, -(2**20)), min(limits.max, 2**20))
    if between == "float32":
        value = np.clip(value, np.iinfo(target).min, np.iinfo(target).max) if np.dtype(target).itemsize < 4 else np.clip(value, 0, 2**20)
    return Case(lambda x: raw.Cast(x=raw.Cast(x=x, DstT=tf.as_dtype(between)), DstT=tf.as_dtype(target)), value.astype(source))


family("selection", Select=select, SelectV2=select_v2, ClipByValue=clip, AddN=add_n)
family("casts", Cast=cast, **{"Cast of Cast": cast_chain})

# --- many elements to one ------------------------------------------------------------------------------------------------------


def magnitude(value):
    finite = np.abs(value[np.isfinite(value)]) if value.dtype.kind == "f" else value
    return float(finite.max(initial=1)) * 10 if value.dtype.kind == "f" else 1.0


def axes_input(draw, rank):
    axes = draw.axis(rank) if rank and draw.chance(0.3) else draw.axes(rank)
    return Input(np.array(axes, draw.index_type()), draw.chance(0.05))


def factors(draw, shape, dtype):
    """Floats whose product neither overflows nor vanishes on its way, which would make it depend on the order."""
    some = (0.5, -0.5, 2, -2, 1, -1, 1, -1) + ((np.nan, np.inf, 0) if draw.chance(0.3) else ())
    return draw.random.choice(some, shape).astype(dtype)


def reduction(name, dtypes):
    def case(draw):
        value = draw.values(draw.shape(0, 5), draw.one(*dtypes), draw.one("any", "plain", "plain"))
        if name == "Prod" and value.dtype.kind == "f":
            value = factors(draw, value.shape, value.dtype)
        keep = draw.chance(0.5)
        return Case(lambda x, axis: getattr(raw, name)(input=x, axis=axis, keep_dims=keep), value, axes_input(draw, value.ndim), scale=magnitude(value))

    return case


def argument(name):
    def case(draw):
        value = draw.values(draw.shape(1, 4), draw.one(*NUMBERS, "bool"), draw.one("any", "extreme", "odd", "plain"))
        if draw.chance(0.5):
            value = np.round(value).astype(value.dtype) if value.dtype.kind == "f" else value  # ties
        kind = tf.int32 if draw.chance(0.4) else tf.int64
        axis = np.array(draw.axis(value.ndim), draw.index_type())
        return Case(lambda x, a: getattr(raw, name)(input=x, dimension=a, output_type=kind), value, Input(axis, draw.chance(0.05)))

    return case


def top_k(draw):
    value = draw.values(draw.shape(1, 3), draw.one(*NUMBERS), draw.one("any", "odd", "plain", "plain"))
    if value.dtype.kind == "f":
        value = value if draw.chance(0.4) else np.nan_to_num(value, nan=1.0, posinf=np.inf, neginf=-np.inf)
        value = np.round(value) if draw.chance(0.5) else value
    unordered = value.dtype.kind == "f" and bool(np.isnan(value).any())
    k = np.int32(draw.integer(0, value.shape[-1] + (1 if draw.chance(0.05) else 0)))
    return Case(lambda x, k: tuple(raw.TopKV2(input=x, k=k, sorted=True)), value, Input(k, draw.chance(0.1)), error="a NaN has no place in an order" if unordered else None)


def softmax(name):
    def case(draw):
        value = draw.values(draw.shape(1, 4), draw.one(*FLOATS), draw.one("any", "plain", "plain"))
        return Case(lambda x: getattr(raw, name)(logits=x), value)

    return case


def cumulative(draw):
    value = draw.values(draw.shape(1, 4), draw.one(*FLOATS, *FLOATS, *INTEGERS), draw.one("any", "plain"))
    exclusive, reverse = draw.chance(0.5), draw.chance(0.5)
    axis = np.array(draw.axis(value.ndim), draw.index_type())
    return Case(lambda x, a: raw.Cumsum(x=x, axis=a, exclusive=exclusive, reverse=reverse), value, Input(axis, draw.chance(0.05)), scale=magnitude(value))


def without_axes(name):
    """Over no axes, of a tensor that has axes of size 1."""

    def case(draw):
        value = draw.values([draw.one(1, 3), draw.one(1, 5), 1], draw.one(*INTEGERS))
        return Case(lambda x, axis: getattr(raw, name)(input=x, axis=axis, keep_dims=False), value, np.zeros([0], draw.index_type()))

    return case


family("reduction", **{name: reduction(name, NUMBERS) for name in ("Mean", "Sum", "Max", "Min", "Prod")})
FAMILIES["reduction"] |= {f"{name} without axes": without_axes(name) for name in ("Sum", "Max", "Min")}
family("reduction of booleans", All=reduction("All", ("bool",)), Any=reduction("Any", ("bool",)))
family("argument", ArgMax=argument("ArgMax"), ArgMin=argument("ArgMin"))
family("top k", TopKV2=top_k)
family("softmax", Softmax=softmax("Softmax"), LogSoftmax=softmax("LogSoftmax"))
family("cumulative", Cumsum=cumulative)

# --- matrices ------------------------------------------------------------------------------------------------------------------

MATRIX_TYPES = (*FLOATS, "float32", "float32", "int32", "int64")


def product_scale(*values):
    return float(np.prod([np.abs(value[np.isfinite(value)].astype("float64")).max(initial=1) for value in values])) * 10


def matmul(draw):
    m, k, n = draw.size(), draw.size(), draw.size()
    a, b = draw.chance(0.4), draw.chance(0.4)
    dtype = draw.one(*MATRIX_TYPES)
    domain = draw.one("odd", "plain", "plain", "plain")
    left = draw.values([k, m] if a else [m, k], dtype, domain)
    k = perhaps_wrong(draw, k, k + 1)
    right = draw.values([n, k] if b else [k, n], dtype, domain)
    return Case(lambda x, y: raw.MatMul(a=x, b=y, transpose_a=a, transpose_b=b), left, right, scale=product_scale(left, right))


def batch_matmul(name):
    def case(draw):
        m, k, n = draw.size(), draw.size(), max(1, draw.size())
        a, b = draw.chance(0.4), draw.chance(0.4)
        dtype = draw.one(*MATRIX_TYPES)
        first, second = ([], []) if draw.chance(0.2) else draw.shapes(2, 0, 2)
        if name == "BatchMatMul":
            second = first
        domain = draw.one("odd", "plain", "plain", "plain")
        left = draw.values([*first, *([k, m] if a else [m, k])], dtype, domain)
        right = draw.values([*second, *([n, k] if b else [k, n])], dtype, domain)
        extra = {"Tout": left.dtype} if name == "BatchMatMulV3" else {}
        return Case(lambda x, y: getattr(raw, name)(x=x, y=y, adj_x=a, adj_y=b, **extra), left, right, scale=product_scale(left, right))

    return case


EQUATIONS = "ij,jk->ik ij,kj->ik bij,bjk->bik bij,bkj->bik abc,cd->abd abc,cde->abde abcd,aecd->acbe acbe,aecd->abcd ij->ji ij->i ij-> ii->i ii-> i,i-> i,j->ij ij,ij->ij ij,ij-> ...ij,...jk->...ik ...i,i->... bhwij,bhwkj->bhwik ij,jk,kl->il aij,ij->a ijk->kji bi,bj,bk->b".split()


def einsum(draw):
    equation = draw.one(*EQUATIONS)
    dtype = draw.one(*MATRIX_TYPES)
    sizes = {letter: draw.one(1, 2, 3, 5) for letter in "abcdefghijklmnopqrstuvwxyz"}
    dots = [draw.one(1, 2, 3) for _ in range(draw.integer(0, 2))]
    terms = equation.split("->")[0].split(",")
    values, domain = [], draw.one("odd", "plain", "plain", "plain")
    for term in terms:
        dims = [sizes[letter] for letter in term.replace("...", "")]
        values.append(draw.values([*dots, *dims] if "..." in term else dims, dtype, domain))
    return Case(lambda *given: raw.Einsum(inputs=given, equation=equation), *values, scale=product_scale(*values))


family("matrix product", MatMul=matmul)
family("batched matrix product", **{name: batch_matmul(name) for name in ("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3")})
family("einsum", Einsum=einsum)

# --- shapes --------------------------------------------------------------------------------------------------------------------


def some(draw, low=0, high=4):
    return draw.values(draw.shape(low, high), draw.one(*ANY))


def split_number(draw, number):
    """Sizes whose product is the number."""
    sizes = []
    rest = number
    for divisor in (2, 3, 5, 7):
        while rest and rest % divisor == 0 and draw.chance(0.6):
            sizes.append(divisor)
            rest //= divisor
    sizes.insert(draw.integer(0, len(sizes)), rest)
    if draw.chance(0.2):
        sizes.insert(draw.integer(0, len(sizes)), 1)
    return sizes


def reshape(draw):
    value = some(draw)
    sizes = split_number(draw, value.size)
    if value.size == 1 and draw.chance(0.3):
        sizes = []
    if sizes and draw.chance(0.5):
        sizes[draw.integer(0, len(sizes) - 1)] = -1
    if draw.chance(0.02):
        sizes = [*sizes, 2]
    return Case(lambda x, s: raw.Reshape(tensor=x, shape=s), value, Input(np.array(sizes, draw.index_type()), draw.chance(0.3)))


def squeeze(draw):
    value = draw.values([1 if draw.chance(0.5) else size for size in draw.shape(0, 5)], draw.one(*ANY))
    ones = [axis for axis, size in enumerate(value.shape) if size == 1]
    axes = [axis - value.ndim if draw.chance(0.5) else axis for axis in ones if draw.chance(0.6)]
    if value.ndim and draw.chance(0.02):
        axes.append(draw.axis(value.ndim))
    return Case(lambda x: raw.Squeeze(input=x, axis=axes), value)


def expand_dims(draw):
    value = some(draw)
    axis = np.array(draw.axis(value.ndim + 1), draw.index_type())
    return Case(lambda x, a: raw.ExpandDims(input=x, axis=a), value, Input(axis, draw.chance(0.05)))


def transpose(draw):
    value = some(draw, 0, 5)
    perm = draw.random.permutation(value.ndim)
    if value.ndim == 4 and draw.chance(0.5):
        perm = draw.one([0, 2, 3, 1], [0, 3, 1, 2])
    perm = [int(axis) - value.ndim if draw.chance(0.1) else int(axis) for axis in perm]
    if perm and draw.chance(0.02):
        perm[0] = draw.one(perm[-1], value.ndim)
    return Case(lambda x, p: raw.Transpose(x=x, perm=p), value, Input(np.array(perm, draw.index_type()), draw.chance(0.05)))


def shape_like(name):
    def case(draw):
        kind = tf.int32 if draw.chance(0.6) else tf.int64
        return Case(lambda x: getattr(raw, name)(input=x, out_type=kind), some(draw, 0, 5))

    return case


def fill(draw):
    value = draw.values([], draw.one(*ANY))
    shape = [-1] if draw.chance(0.02) else draw.shape()
    return Case(lambda d, v: raw.Fill(dims=d, value=v), np.array(shape, draw.index_type()), value)


def range_(draw):
    dtype = draw.one("int32", "int32", "int64", "float32", "float64")
    start, step = draw.integer(-9, 9), draw.one(1, 1, 2, 3, -1, -2, 0 if draw.chance(0.1) else 5)
    end = start + step * draw.integer(0, 20) + draw.integer(-1, 1)
    bounds = [start, end, step]
    if dtype.startswith("float"):
        unit = draw.one(4, 10, 3)
        bounds = [start / unit, end / unit + draw.one(0, 0.1), step / unit]
        if draw.chance(0.03):
            bounds[1] = draw.one(np.inf, np.nan)
    return Case(lambda a, b, c: raw.Range(start=a, limit=b, delta=c), *[np.array(bound, dtype) for bound in bounds])


def broadcast_to(draw):
    own, whole = draw.shapes(2, 0, 5)
    if len(own) > len(whole):
        own, whole = whole, own
    value = draw.values(own, draw.one(*ANY))
    return Case(lambda x, s: raw.BroadcastTo(input=x, shape=s), value, np.array(whole, draw.index_type()))


def tile(draw):
    value = some(draw)
    multiples = [draw.one(0, 1, 1, 2, 3) for _ in value.shape]
    if multiples and draw.chance(0.02):
        multiples[0] = -1
    return Case(lambda x, m: raw.Tile(input=x, multiples=m), value, np.array(multiples, draw.index_type()))


def one_hot(draw):
    depth = draw.integer(0, 6)
    shape = draw.shape(0, 3)
    indices = draw.random.integers(-2, depth + 2, shape).astype(draw.one("int32", "int64", "uint8"))
    dtype = draw.one(*ANY)
    axis = -1 if draw.chance(0.6) else draw.integer(-1, len(shape))
    return Case(
        lambda i, d, on, off: raw.OneHot(indices=i, depth=d, on_value=on, off_value=off, axis=axis),
        indices,
        Input(np.int32(perhaps_wrong(draw, depth, -1)), draw.chance(0.2)),
        draw.values([], dtype),
        draw.values([], dtype),
    )


family(
    "shapes",
    Reshape=reshape,
    Squeeze=squeeze,
    ExpandDims=expand_dims,
    Transpose=transpose,
    Shape=shape_like("Shape"),
    Size=shape_like("Size"),
    Rank=lambda draw: Case(lambda x: raw.Rank(input=x), some(draw, 0, 5)),
    ZerosLike=unary("ZerosLike", ANY),
    OnesLike=unary("OnesLike", ANY),
)
family("filling", Fill=fill, Range=range_, BroadcastTo=broadcast_to, Tile=tile)
family("one hot", OneHot=one_hot)

# --- parts ---------------------------------------------------------------------------------------------------------------------


def strided_slice(draw):
    value = some(draw, 0, 5)
    begin, end, strides = [], [], []
    masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    used = 0
    axis = 0
    ellipsis = draw.integer(0, value.ndim) if draw.chance(0.25) else None
    while axis < value.ndim or (value.ndim == 0 and not begin):
        place = len(begin)
        if place >= 7 or draw.chance(0.1):
            break
        if ellipsis == axis:
            masks["ellipsis_mask"] |= 1 << place
            for values in (begin, end, strides):
                values.append(1)
            axis += draw.integer(0, value.ndim - axis)
            ellipsis = None
            continue
        if draw.chance(0.12):
            masks["new_axis_mask"] |= 1 << place
            for values in (begin, end, strides):
                values.append(1)
            continue
        if axis >= value.ndim:
            break
        size = value.shape[axis]
        if draw.chance(0.25):
            index = draw.integer(-size, size - 1) if size and not draw.chance(0.02) else size
            masks["shrink_axis_mask"] |= 1 << place
            begin.append(index)
            end.append(index + 1)
            strides.append(1)
        else:
            begin.append(draw.integer(-size - 2, size + 2))
            end.append(draw.integer(-size - 2, size + 2))
            strides.append(draw.one(1, 1, 1, 2, 3, -1, -1, -2, perhaps_wrong(draw, 1, 0)))
            masks["begin_mask"] |= draw.chance(0.4) << place
            masks["end_mask"] |= draw.chance(0.4) << place
        axis += 1
    kind = draw.index_type()
    bounds_fed = draw.chance(0.2)
    arrays = [np.array(values, kind) for values in (begin, end, strides)]
    return Case(
        lambda x, b, e, s: raw.StridedSlice(input=x, begin=b, end=e, strides=s, **{key: int(mask) for key, mask in masks.items()}),
        value,
        Input(arrays[0], bounds_fed and draw.chance(0.5)),
        Input(arrays[1], bounds_fed),
        held(arrays[2]),
    )


def slice_(draw):
    value = some(draw, 0, 5)
    begin = [draw.integer(0, size) for size in value.shape]
    sizes = [-1 if draw.chance(0.3) else draw.integer(0, size - first) for size, first in zip(value.shape, begin)]
    if sizes and draw.chance(0.03):
        sizes[-1] = value.shape[-1] + 1
    kind = draw.index_type()
    bounds = draw.chance(0.2)
    return Case(lambda x, b, s: raw.Slice(input=x, begin=b, size=s), value, Input(np.array(begin, kind), bounds), Input(np.array(sizes, kind), bounds and draw.chance(0.5)))


def pack(draw):
    shape, dtype = draw.shape(0, 4), draw.one(*ANY)
    axis = draw.axis(len(shape) + 1)
    values = [draw.values(shape, dtype) for _ in range(draw.integer(1, 3))]
    return Case(lambda *given: raw.Pack(values=given, axis=axis), *values)


def unpack(draw):
    value = some(draw, 1, 4)
    axis = draw.integer(-value.ndim, value.ndim - 1)
    count = perhaps_wrong(draw, value.shape[axis], value.shape[axis] + 1)
    return Case(lambda x: tuple(raw.Unpack(value=x, num=count, axis=axis)) if count else raw.Identity(input=x), value)


def concat(name):
    def case(draw):
        shape, dtype = draw.shape(1, 4), draw.one(*ANY)
        axis = draw.axis(len(shape))
        values = []
        for _ in range(draw.integer(2, 4)):
            own = list(shape)
            if -len(shape) <= axis < len(shape):
                own[axis] = draw.size()
            values.append(draw.values(own, dtype))
        if name == "Concat":
            where = held(np.int32(axis))
            return Case(lambda a, *given: raw.Concat(concat_dim=a, values=given), where, *values)
        where = Input(np.array(axis, draw.index_type()), draw.chance(0.03))
        return Case(lambda a, *given: raw.ConcatV2(values=given, axis=a), where, *values)

    return case


def split(draw):
    value = some(draw, 1, 4)
    axis = draw.axis(value.ndim)
    size = (value.shape[axis] or 1) if -value.ndim <= axis < value.ndim else 2
    count = draw.one(*[number for number in range(1, max(2, size + 1)) if size % number == 0], perhaps_wrong(draw, 1, 2))
    return Case(lambda a, x: tuple(raw.Split(axis=a, value=x, num_split=count)), Input(np.int32(axis), draw.chance(0.03)), value)


def split_v(draw):
    value = some(draw, 1, 4)
    axis = draw.integer(-value.ndim, value.ndim - 1)
    rest, sizes = value.shape[axis], []
    for _ in range(draw.integer(0, 2)):
        sizes.append(draw.integer(0, rest))
        rest -= sizes[-1]
    sizes.append(rest)
    if draw.chance(0.4):
        sizes[draw.integer(0, len(sizes) - 1)] = -1
    if draw.chance(0.02):
        sizes[0] += 1
    kind = draw.index_type()
    return Case(
        lambda x, s, a: tuple(raw.SplitV(value=x, size_splits=s, axis=a, num_split=len(sizes))), value, Input(np.array(sizes, kind), draw.chance(0.1)), Input(np.int32(axis), draw.chance(0.03))
    )


def places(draw, size, shape, kind):
    """Indices in range; now and then one that is not, or a negative one, which TensorFlow refuses on processors."""
    if size == 0:
        shape = [*shape[:-1], 0] if shape else shape
        return np.zeros(shape, kind)
    result = draw.random.integers(0, size, shape).astype(kind)
    if result.size and draw.chance(0.04):
        result.flat[0] = draw.one(-1, size, -size)
    return result


def filled(draw, shape):
    return shape if draw.chance(0.1) else [max(1, size) for size in shape]


def gather(name):
    def case(draw):
        value = draw.values(filled(draw, draw.shape(1, 4)), draw.one(*ANY))
        kind = draw.index_type()
        if name == "ResourceGather":
            # A table of a variable: frozen to a constant before the converter sees it.
            batch = draw.integer(0, value.ndim - 1) if draw.chance(0.3) else 0
            indices = places(draw, value.shape[batch], [*value.shape[:batch], *draw.shape(0, 2)], kind)
            return Case(lambda x, i: raw.GatherV2(params=x, indices=i, axis=batch, batch_dims=batch), held(value), fed(indices), renamed=("GatherV2", name))
        if name == "Gather":
            return Case(lambda x, i: raw.Gather(params=x, indices=i), value, places(draw, value.shape[0], draw.shape(0, 2), kind))
        axis = draw.integer(0, value.ndim - 1)
        batch = draw.integer(0, axis) if draw.chance(0.4) else 0
        shape = [*value.shape[:batch], *draw.shape(0, 2)]
        if np.prod(shape) * np.prod(value.shape) > 5000:
            shape = [*value.shape[:batch], 2]
        given = axis - value.ndim if draw.chance(0.4) else axis
        batch_given = batch
        return Case(
            lambda x, i, a: raw.GatherV2(params=x, indices=i, axis=a, batch_dims=batch_given),
            value,
            places(draw, value.shape[axis], shape, kind),
            Input(np.array(given, draw.index_type()), draw.chance(0.03)),
        )

    return case


def gather_nd(draw):
    value = draw.values(filled(draw, draw.shape(1, 4)), draw.one(*ANY))
    depth = 0 if draw.chance(0.02) else draw.integer(1, value.ndim)
    shape = draw.shape(0, 2)
    kind = draw.index_type()
    parts = [places(draw, size, shape, kind) for size in value.shape[:depth]]
    if any(part.shape != tuple(shape) for part in parts):
        shape = [*shape[:-1], 0] if shape else [0]
        parts = [np.zeros(shape, kind) for _ in parts]
    indices = np.stack(parts, -1) if parts else np.zeros([*shape, 0], kind)
    return Case(lambda x, i: raw.GatherNd(params=x, indices=i), value, indices)


def pad(name):
    def case(draw):
        value = some(draw, 0, 4) if name != "MirrorPad" else draw.values([max(1, size) for size in draw.shape(1, 4)], draw.one(*ANY))
        mode = draw.one("REFLECT", "SYMMETRIC")
        limit = lambda size: min(3, max(0, size - (1 if mode == "REFLECT" else 0))) if name == "MirrorPad" else 3
        amounts = [[draw.integer(0, limit(size)) if draw.chance(0.6) else 0 for _ in range(2)] for size in value.shape]
        if amounts and draw.chance(0.02):
            amounts[0][0] = draw.one(-1, value.shape[0] + 1) if name == "MirrorPad" else -1
        paddings = Input(np.array(amounts, draw.index_type()).reshape(-1, 2), value.ndim > 0 and draw.chance(0.1))
        if name == "Pad":
            return Case(lambda x, p: raw.Pad(input=x, paddings=p), value, paddings)
        if name == "PadV2":
            return Case(lambda x, p, v: raw.PadV2(input=x, paddings=p, constant_values=v), value, paddings, draw.values([], value.dtype))
        return Case(lambda x, p: raw.MirrorPad(input=x, paddings=p, mode=mode), value, paddings)

    return case


def resize(name):
    def case(draw):
        dtype = draw.one("float32", "float32", "float32", "float64", "uint8", "int32", "int8", "int16", "uint16", "int64")
        images = draw.values(image_shape(draw), dtype, "plain")
        corners, half = draw.one((False, False), (True, False), (False, True), (False, True))
        size = np.int32([draw.integer(1, 15), draw.integer(1, 15)])
        return Case(
            lambda x, s: getattr(raw, name)(images=x, size=s, align_corners=corners, half_pixel_centers=half), fed(images), Input(size, draw.chance(0.1)), scale=float(np.abs(images.astype("float64")).max(initial=1)) * 10
        )

    return case


family("slicing", StridedSlice=strided_slice, Slice=slice_)
family("joining and splitting", Pack=pack, Unpack=unpack, ConcatV2=concat("ConcatV2"), Concat=concat("Concat"), Split=split, SplitV=split_v)
family("gathering", Gather=gather("Gather"), GatherV2=gather("GatherV2"), ResourceGather=gather("ResourceGather"), GatherNd=gather_nd)
family("padding", Pad=pad("Pad"), PadV2=pad("PadV2"), MirrorPad=pad("MirrorPad"))
family("resizing", ResizeBilinear=resize("ResizeBilinear"), ResizeNearestNeighbor=resize("ResizeNearestNeighbor"))

# --- one operation behind another ----------------------------------------------------------------------------------------------


def filtered(name, filters, stride):
    return lambda x: getattr(raw, name)(input=x, filter=filters, strides=[1, stride, stride, 1], padding="SAME")


def pooled(name, size, stride):
    return lambda x: getattr(raw, name)(**{"input" if name == "MaxPool" else "value": x}, ksize=[1, size, size, 1], strides=[1, stride, stride, 1], padding="SAME")


def small(filters):
    """Filters that make no image brighter, so that errors of rounding do not grow from step to step."""
    return np.float32(filters / max(1.0, 2.0 ** np.ceil(np.log2(np.abs(filters).sum(axis=(0, 1, 2)).max(initial=1)))))


def step(draw, channels):
    """An operation on images, and how many channels it leaves."""
    kind, stride = draw.integer(0, 14), draw.integer(1, 3)
    if kind <= 2:
        filters = small(draw.values([*window(draw), channels, draw.integer(1, 3)], "float32", "plain"))
        return filtered("Conv2D", filters, stride), filters.shape[3]
    if kind == 3:
        return filtered("DepthwiseConv2dNative", small(draw.values([*window(draw), channels, 1], "float32", "plain")), stride), channels
    if kind <= 5:
        return pooled(draw.one("MaxPool", "AvgPool"), draw.integer(1, 3), stride), channels
    if kind == 6:
        amounts = [[0, 0], [draw.integer(0, 3), draw.integer(0, 3)], [draw.integer(0, 3), draw.integer(0, 3)], [0, 0]]
        value = np.float32(draw.one(0.0, 0.0, 1.5, -2.0))
        return (lambda x: raw.PadV2(input=x, paddings=amounts, constant_values=value)), channels
    if kind == 7:
        scale, offset, mean, variance = (draw.values([channels], "float32", domain) for domain in ("plain", "plain", "plain", "positive"))
        return (lambda x: raw.FusedBatchNormV3(x=x, scale=scale, offset=offset, mean=mean, variance=variance, is_training=False)[0]), channels
    if kind <= 9:
        name = draw.one("Relu", "Relu6", "Elu", "Sigmoid", "Tanh")
        return (lambda x: getattr(raw, name)(**{"x" if name in ("Sigmoid", "Tanh") else "features": x})), channels
    if kind <= 11:
        numbers = draw.values(draw.one([channels], [], [1, 1, channels]), "float32", "plain")
        name, first = draw.one("AddV2", "Mul", "Sub", "Maximum"), draw.chance(0.5)
        return (lambda x: getattr(raw, name)(x=numbers if first else x, y=x if first else numbers)), channels
    if kind == 12:
        return (lambda x: raw.Mul(x=x, y=raw.Sigmoid(x=raw.Mean(input=x, axis=[1, 2], keep_dims=True)))), channels
    if kind == 13:
        return (lambda x: raw.ConcatV2(values=[x, raw.Neg(x=x)], axis=3)), 2 * channels
    size = [draw.integer(3, 12), draw.integer(3, 12)]
    return (lambda x: raw.ResizeNearestNeighbor(images=x, size=size)), channels


def chain(draw):
    """A few operations on images, which onnxruntime fuses and for which the converter keeps or exchanges the order of axes."""
    shape = [draw.integer(1, 2), draw.integer(3, 9), draw.integer(3, 9), draw.integer(1, 3)]
    steps, channels = [], shape[3]
    for _ in range(draw.integer(2, 5)):
        operation, channels = step(draw, channels)
        steps.append(operation)
    steps.append(
        draw.one(
            lambda x: x,
            lambda x: raw.Mean(input=x, axis=[1, 2]),
            lambda x: raw.Reshape(tensor=x, shape=[shape[0], -1]),
            lambda x: raw.Transpose(x=x, perm=[0, 3, 1, 2]),
            lambda x: raw.StridedSlice(input=x, begin=[0, 0, 0, 0], end=[0, 0, 0, 1], strides=[1, 1, 1, 1], begin_mask=7, end_mask=7),
        )
    )

    def build(x):
        for operation in steps:
            x = operation(x)
        return x

    return Case(build, fed(draw.values(shape, "float32", draw.one("odd", "plain", "plain", "plain"))), scale=100.0)


family("chains", Chain=chain)

# Operations with several outputs, each of which a function's body names by its argument.
SEVERAL = ("TopKV2", "Unique", "UniqueV2", "UniqueWithCounts", "UniqueWithCountsV2", "Split", "SplitV", "Unpack", "NonMaxSuppressionV4", "CombinedNonMaxSuppression", "FusedBatchNormV3", "IdentityN", "ShapeN", "TensorListGetItem")
DRAWERS = {name: drawer for operations in FAMILIES.values() for name, drawer in operations.items()}


def in_a_place(name):
    return lambda draw: placed(draw, DRAWERS[name](draw))


family("places", **{name: in_a_place(name) for name in SEVERAL if name in DRAWERS})
