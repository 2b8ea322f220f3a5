"""Serves model.onnx with onnxruntime in AWS's PyTorch container. inferdrop adds this file to archives that have no handler."""

import csv
import io
import json
import math
import os
import re

import numpy as np
import onnxruntime
from sagemaker_inference.errors import GenericInferenceToolkitError

TYPES = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(int8)": np.int8,
    "tensor(int16)": np.int16,
    "tensor(int32)": np.int32,
    "tensor(int64)": np.int64,
    "tensor(uint8)": np.uint8,
    "tensor(uint16)": np.uint16,
    "tensor(uint32)": np.uint32,
    "tensor(uint64)": np.uint64,
    "tensor(bool)": np.bool_,
    "tensor(string)": np.object_,
}
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
# Beyond it a JSON number is no exact integer everywhere.
MAX_INTEGER = 2**53
MAX_PIXELS = 2**27


def refuse(message, status=400):
    raise GenericInferenceToolkitError(status, message, message)


def model_fn(model_dir):
    options = onnxruntime.SessionOptions()
    # TorchServe starts a process for each core.
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    path = os.path.join(model_dir, "model.onnx")
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def transform_fn(session, data, content_type, accept):
    media = content_type.split(";")[0].strip().lower()
    wanted = accept.split(";")[0].strip().lower()
    if wanted not in WRITERS:
        refuse(f"Accept must be one of {', '.join(WRITERS)}, is {accept}", 406)
    feeds = read(session.get_inputs(), data, media)
    lines = media == "application/jsonlines" and wanted == "application/json"
    return WRITERS["application/jsonlines" if lines else wanted](predict(session, feeds)), accept


# From the request to tensors.


def read(inputs, data, media):
    if media == "application/x-image" or media.startswith("image/"):
        return {only(inputs, "an image").name: read_image(inputs[0], data)}
    if media == "application/x-npy":
        return {only(inputs, "a NumPy array").name: read_npy(inputs[0], data)}
    text = data if isinstance(data, str) else utf8(bytes(data))
    # Excel begins its files of UTF-8 with a mark.
    text = text.removeprefix("\ufeff")
    if media == "text/csv":
        return read_csv(inputs, text)
    if media == "application/json":
        return read_json(inputs, loads(text))
    if media == "application/jsonlines":
        return read_records(inputs, [loads(line) for line in text.split("\n") if line.strip()])
    refuse(
        f"Content-Type must be application/json, application/jsonlines, text/csv, application/x-npy, application/x-image or an image's own, is {media}",
        415,
    )


def utf8(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        refuse("the request is not UTF-8")


def loads(text):
    try:
        return json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        refuse("the request is not JSON")


def refuse_constant(name):
    refuse(f"the request is not JSON: {name} is no number in it, and null is one that is missing")


def only(inputs, what):
    if len(inputs) != 1:
        refuse(f"{what} is for a model with one input, and this one has {', '.join(one.name for one in inputs)}")
    return inputs[0]


def read_json(inputs, document):
    if isinstance(document, dict):
        if set(document) == {"instances"} and isinstance(document["instances"], list):
            return read_records(inputs, document["instances"])
        if set(document) != {"inputs"}:
            refuse('the document must be a list, or have the one member "instances" (a list) or "inputs"')
        document = document["inputs"]
        if isinstance(document, dict):
            return named(inputs, document)
    return {only(inputs, "a list").name: fit(inputs[0], to_array(inputs[0], document))}


def read_records(inputs, records):
    if not records:
        refuse("the request has no records")
    if any(isinstance(record, dict) for record in records):
        if not all(isinstance(record, dict) and record.keys() == records[0].keys() for record in records):
            refuse("the records must be objects with the same members")
        return named(inputs, {name: [record[name] for record in records] for name in records[0]})
    return {only(inputs, "a record without names").name: fit(inputs[0], to_array(inputs[0], records))}


def named(inputs, values):
    names = [one.name for one in inputs]
    if set(values) != set(names):
        refuse(f"the model's inputs are {', '.join(names)}, and the request has {', '.join(values)}")
    return {one.name: fit(one, to_array(one, values[one.name])) for one in inputs}


def read_csv(inputs, text):
    rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    if not rows:
        refuse("the request has no rows")
    width = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            refuse(f"row {number} has {len(row)} cells, and row 1 has {width}")
    if len(inputs) == 1:
        array = to_array(inputs[0], [[cell(inputs[0], text) for text in row] for row in rows])
        sizes = list(inputs[0].shape)[1:]
        if len(sizes) > 1 and all(isinstance(size, int) for size in sizes) and math.prod(sizes) == width:
            array = array.reshape([len(rows), *sizes])
        elif not sizes and width == 1:
            array = array.reshape([len(rows)])
        return {inputs[0].name: fit(inputs[0], array)}
    if width != len(inputs):
        refuse(f"a row has {width} cells, and the model has {len(inputs)} inputs: {', '.join(one.name for one in inputs)}")
    columns = zip(inputs, zip(*rows))
    return {one.name: fit(one, to_array(one, [cell(one, text) for text in column])) for one, column in columns}


def cell(one, text):
    kind = TYPES[one.type]
    if kind is np.object_:
        return text
    text = text.strip(" \t")
    if text == "" or text.lower() == "nan":
        return None
    if NUMBER.fullmatch(text):
        return float(text)
    if text.lower() in ("inf", "+inf", "-inf"):
        return float(text)
    refuse(f"{json.dumps(text)} is not a number, which input {one.name} takes")


def read_npy(one, data):
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        refuse(f"the request is not a NumPy array: {error}")
    kind = TYPES[one.type]
    if not isinstance(array, np.ndarray) or kind is np.object_ or not np.can_cast(array.dtype, kind, "same_kind"):
        refuse(f"input {one.name} takes {one.type}, and the array does not fit it")
    if array.dtype.kind in "iu" and array.size and (array.max() > MAX_INTEGER - 1 or array.min() < 1 - MAX_INTEGER):
        refuse("the NumPy array has integers beyond 2^53")
    return fit(one, array.astype(kind))


def to_array(one, value):
    """A tensor of nested lists; an empty cell and null are NaN, a number that is missing."""
    kind = TYPES[one.type]
    shape = []
    level = value
    while isinstance(level, list):
        shape.append(len(level))
        if not level:
            break
        level = level[0]
    flat = []

    def walk(part, depth):
        if isinstance(part, list):
            if depth >= len(shape) or len(part) != shape[depth]:
                refuse(f"the lists for input {one.name} have different lengths")
            for item in part:
                walk(item, depth + 1)
        elif depth != len(shape):
            refuse(f"the lists for input {one.name} have different depths")
        else:
            flat.append(element(one, kind, part))

    walk(value, 0)
    array = np.empty(len(flat), kind)
    array[:] = flat
    return array.reshape(shape)


def element(one, kind, value):
    if kind is np.object_:
        if isinstance(value, str):
            return value
    elif kind is np.bool_:
        if isinstance(value, bool):
            return value
    elif issubclass(kind, np.floating):
        if value is None:
            return math.nan
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return to_float(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        limits = np.iinfo(kind)
        if abs(value) < MAX_INTEGER and value == int(value) and limits.min <= value <= limits.max:
            return int(value)
    refuse(f"input {one.name} takes {one.type}, and the request has {json.dumps(value)[:100]}")


def to_float(number):
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def fit(one, array):
    """The tensor as a batch: a record alone becomes one of one, and a column of numbers one of rows."""
    shape = list(one.shape)
    sizes = list(array.shape)

    def fits(found):
        rest = zip(shape[1:], found[1:])
        return len(found) == len(shape) and all(not isinstance(size, int) or size == own for size, own in rest)

    for found in (sizes, [1, *sizes], [*sizes, 1]):
        if fits(found):
            return array.reshape(found)
    refuse(f"input {one.name} takes the shape {shown(shape)}, and the request has {shown(sizes)}")


def shown(shape):
    return "[" + ", ".join("?" if size is None else str(size) for size in shape) + "]"


# Images.


def read_image(one, data):
    from PIL import Image

    text = os.environ.get("INFERDROP_ONNX_IMAGES")
    if text is None:
        refuse("pipeline.json has no model.images, which says how the model wants the pixels of an image")
    settings = json.loads(text)
    layout, channels, height, width = image_layout(one)
    Image.MAX_IMAGE_PIXELS = None
    try:
        image = Image.open(io.BytesIO(data), formats=("JPEG", "PNG", "BMP", "WEBP"))
        if image.width * image.height > MAX_PIXELS:
            refuse(f"the image has more than {MAX_PIXELS} pixels")
        modes = ("RGB", "RGBA") if image.format == "BMP" else ("1", "L", "LA", "P", "PA", "RGB", "RGBA")
        if image.mode not in modes:
            refuse("the image is none of 8 bits a channel in grey or RGB: save it as one")
        image = image.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        refuse(f"the image cannot be decoded: {error}")
    pixels = resized(image, settings, height, width, Image)
    if channels == 1:
        pixels = grey(pixels)
    elif settings.get("order") == "BGR":
        pixels = pixels[..., ::-1]
    kind = TYPES[one.type]
    if kind is np.uint8:
        values = pixels
    else:
        values = pixels.astype(np.float32) * np.float32(settings["scale"])
        values = ((values - np.asarray(settings["mean"], np.float32)) / np.asarray(settings["std"], np.float32)).astype(kind)
    return np.ascontiguousarray(values.transpose(2, 0, 1) if layout == "NCHW" else values)[np.newaxis]


def image_layout(one):
    shape = list(one.shape)
    if len(shape) == 4:
        for layout, at in (("NCHW", (1, 2, 3)), ("NHWC", (3, 1, 2))):
            channels, height, width = (shape[index] for index in at)
            if channels in (1, 3) and isinstance(height, int) and isinstance(width, int):
                return layout, channels, height, width
    refuse(f"input {one.name} of the shape {shown(shape)} takes no images: it must be [N, C, H, W] or [N, H, W, C], with a fixed H and W and a C of 1 or 3")


def resized(image, settings, height, width, Image):
    resize = settings["resize"]
    if resize == "stretch":
        size = (width, height)
    else:
        short = min(image.size)
        size = tuple(resize if side == short else resize * side // short for side in image.size)
    if size[0] * size[1] > MAX_PIXELS:
        refuse(f"the image would have {size[0]} x {size[1]} pixels")
    if size != image.size:
        image = image.resize(size, Image.BICUBIC if settings.get("resample") == "bicubic" else Image.BILINEAR)
    left, top = (round((own - wanted) / 2) for own, wanted in zip(size, (width, height)))
    if left < 0 or top < 0:
        refuse(f"model.images.resize is {resize}, less than the {width} x {height} pixels that the model takes")
    return np.asarray(image)[top : top + height, left : left + width]


def grey(pixels):
    weighed = pixels.astype(np.int64) @ np.array([19595, 38470, 7471])
    return ((weighed + 0x8000) >> 16).astype(np.uint8)[..., np.newaxis]


# From tensors to the answer.


def predict(session, feeds):
    """Named outputs, each with a row for each record."""
    count = next(iter(feeds.values())).shape[0]
    sizes = {name: array.shape[0] for name, array in feeds.items()}
    if len(set(sizes.values())) != 1:
        refuse(f"the inputs have different numbers of records: {sizes}")
    fixed = {one.shape[0] for one in session.get_inputs() if one.shape and isinstance(one.shape[0], int)}
    if fixed == {1} and count > 1:
        parts = [run(session, {name: array[row : row + 1] for name, array in feeds.items()}, 1) for row in range(count)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    if fixed and fixed != {count}:
        refuse(f"the model takes {' and '.join(map(str, sorted(fixed)))} records at once, and the request has {count}")
    return run(session, feeds, count)


def run(session, feeds, count):
    try:
        values = session.run(None, feeds)
    except Exception as error:
        refuse(f"onnxruntime cannot run the model on this request: {error}")
    outputs = {}
    for one, value in zip(session.get_outputs(), values):
        array = unzipped(value)
        if array.shape[:1] != (count,):
            if count != 1:
                refuse(f"output {one.name} has the shape {shown(array.shape)} for {count} records: it must have a row for each")
            array = array[np.newaxis]
        outputs[one.name] = array
    return labelled(outputs, count)


def unzipped(value):
    """The scores of a sequence of maps from classes, in the order of the classes."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, list) and value and isinstance(value[0], dict):
        keys = sorted(value[0], key=lambda key: key.encode() if isinstance(key, str) else key)
        return np.array([[row[key] for key in keys] for row in value], np.float32)
    refuse("the model has an output that is neither a tensor nor a sequence of maps")


def labelled(outputs, count):
    """Classifiers of converters answer a class and the scores of all, under names that differ."""
    if len(outputs) != 2:
        return outputs
    labels = [array for array in outputs.values() if array.size == count and array.dtype.kind in "iuOUS"]
    scores = [array for array in outputs.values() if array.dtype.kind == "f"]
    if len(labels) != 1 or len(scores) != 1:
        return outputs
    return {"label": labels[0].reshape(count), "probabilities": scores[0]}


def records(outputs):
    if len(outputs) == 1:
        return next(iter(outputs.values())).tolist()
    rows = {name: array.tolist() for name, array in outputs.items()}
    return [dict(zip(rows, row)) for row in zip(*rows.values())]


def write_json(outputs):
    return json.dumps({"predictions": records(outputs)})


def write_lines(outputs):
    return "".join(json.dumps(record) + "\n" for record in records(outputs))


def write_csv(outputs):
    if len(outputs) != 1 and set(outputs) != {"label", "probabilities"}:
        refuse(f"CSV has no names, and the model answers {', '.join(outputs)}: ask for application/json", 406)
    array = outputs.get("probabilities", next(iter(outputs.values())))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(array.reshape(len(array), -1).tolist())
    return text.getvalue()


def write_npy(outputs):
    if len(outputs) != 1 or next(iter(outputs.values())).dtype.kind in "OUS":
        refuse("a NumPy array holds one output of numbers: ask for application/json", 406)
    file = io.BytesIO()
    np.save(file, next(iter(outputs.values())))
    return file.getvalue()


WRITERS = {
    "application/json": write_json,
    "application/jsonlines": write_lines,
    "text/csv": write_csv,
    "application/x-npy": write_npy,
}
