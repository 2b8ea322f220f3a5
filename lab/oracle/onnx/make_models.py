"""Writes ONNX models that others define, requests to them, and what AWS's PyTorch toolkit with the handler of ONNX archives and the models' own libraries answer.

    python make_models.py FOLDER

Each model has a folder with model.onnx, case.json and the bodies of its requests. The models are onnx's own test cases of operators and
networks, exports of PyTorch, and conversions of scikit-learn, XGBoost and LightGBM.
"""

import io
import json
import os
import pathlib
import sys
import warnings

import numpy as np

warnings.filterwarnings("ignore")
import onnx  # noqa: E402
from onnx.backend.test.case.node import collect_testcases  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
HANDLER = ROOT / "packages/model-container/onnx/python/inference.py"
FOLDER = pathlib.Path(sys.argv[1])
# The toolkit imports the module `inference`.
sys.path.insert(0, str(HANDLER.parent))
from sagemaker_pytorch_serving_container.handler_service import HandlerService  # noqa: E402

IMAGES = {"scale": 1 / 255, "mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225], "resize": 40, "order": "RGB"}
random = np.random.default_rng(2)


class Context:
    """Model server's side of a request, as far as AWS's toolkit asks for it."""

    def __init__(self, folder, headers):
        self.system_properties = {"model_dir": str(folder), "gpu_id": None}
        self.request_processor = [self]
        self.headers = headers
        self.status = 200

    def get_request_properties(self):
        return self.headers

    def get_all_request_header(self, index):
        return self.headers

    def set_response_status(self, code=200, phrase="", idx=0):
        self.status = int(code)

    def set_response_content_type(self, index, value):
        pass


def toolkit(folder):
    """AWS's PyTorch toolkit with the handler that inferdrop adds, as TorchServe calls it."""
    service = HandlerService()
    service.initialize(Context(folder, {}))

    def answer(content_type, accept, body):
        context = Context(folder, {"Content-Type": content_type, "Accept": accept})
        [given] = service.handle([{"body": bytearray(body)}], context)
        return {"status": context.status, "answer": given if isinstance(given, str) else given.hex()}

    return answer


def write(name, model, requests, images=None):
    """requests: (content type, accept, body, predictions of the library or None)."""
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    # The package's cases are of its newest format and opset, which onnxruntime does not know yet.
    model.ir_version = min(model.ir_version, 13)
    for opset in model.opset_import:
        if opset.domain in ("", "ai.onnx"):
            opset.version = min(opset.version, 26)
    onnx.save(model, folder / "model.onnx")
    if images is not None:
        os.environ["INFERDROP_ONNX_IMAGES"] = json.dumps(images)
    answer = toolkit(folder)
    cases = []
    for number, (content_type, accept, body, own) in enumerate(requests):
        data = body.encode() if isinstance(body, str) else body
        (folder / f"{number}.request").write_bytes(data)
        cases.append({"contentType": content_type, "accept": accept, "own": own, **answer(content_type, accept, data)})
    (folder / "case.json").write_text(json.dumps({"images": images, "requests": cases}))


def plain(array):
    return array.tolist() if isinstance(array, np.ndarray) else array


def node_cases():
    """onnx's own cases of operators whose tensors have an axis of records and a type that requests hold."""
    wanted = """abs add argmax_keepdims_example averagepool_2d_default batchnorm_example bitwise_and_i16_2d clip
    conv_with_strides_padding convtranspose depthtospace_example div dropout_default einsum_transpose elu equal erf exp flatten_axis1
    gather_elements_0 gelu_default_1 gemm_all_attributes greater hardsigmoid identity instancenorm_example layer_normalization_2d_axis1
    leakyrelu logsoftmax_axis_1 matmul_2d maxpool_2d_default mul not_2d prelu_example relu selu sigmoid softmax_axis_1 softplus
    string_concat sub tanh topk tril where_example ai_onnx_ml_label_encoder_string_int ai_onnx_ml_tree_ensemble_single_tree""".split()
    cases = {case.name.removeprefix("test_"): case for case in collect_testcases(None)}
    for name in wanted:
        case = cases.get(name)
        if case is None or case.model is None:
            continue
        (inputs, outputs), *_ = case.data_sets
        model = case.model
        sizes = {np.asarray(one).shape[:1] for one in [*inputs, *outputs]}
        if len(sizes) != 1 or () in sizes:
            continue
        values = dict(zip([one.name for one in model.graph.input], inputs))
        document = {"inputs": {key: nested(value) for key, value in values.items()}}
        own = [nested(value) for value in outputs]
        yield name, model, [("application/json", "application/json", json.dumps(document), {"outputs": own})]


def nested(value):
    value = np.asarray(value)
    return value.astype(str).tolist() if value.dtype.kind in "OUS" else value.tolist()


def torch_cases():
    import torch

    nn = torch.nn
    torch.manual_seed(2)

    class Residual(nn.Module):
        def __init__(self, inputs, outputs, stride):
            super().__init__()
            self.body = nn.Sequential(
                nn.Conv2d(inputs, outputs, 3, stride, 1), nn.BatchNorm2d(outputs), nn.ReLU(), nn.Conv2d(outputs, outputs, 3, 1, 1)
            )
            self.skip = nn.Conv2d(inputs, outputs, 1, stride)

        def forward(self, images):
            return torch.relu(self.body(images) + self.skip(images))

    head = lambda width: (nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 5), nn.Softmax(1))  # noqa: E731
    networks = {
        "torch_residual": nn.Sequential(Residual(3, 8, 2), Residual(8, 16, 2), *head(16)),
        "torch_depthwise": nn.Sequential(nn.Conv2d(3, 12, 3, 2), nn.Conv2d(12, 12, 3, groups=12), nn.Hardswish(), *head(12)),
        "torch_patches": nn.Sequential(nn.Conv2d(3, 16, 8, 8), nn.GELU(), *head(16)),
    }
    for name, network in networks.items():
        network.eval()
        program = torch.onnx.export(
            network, (torch.zeros(2, 3, 32, 32),), dynamic_shapes=({0: torch.export.Dim("n")},), dynamo=True, verbose=False
        )
        requests = []
        images = {**IMAGES, "order": "BGR"} if name == "torch_patches" else IMAGES
        for format, body in pictures():
            pixels = prepared(body, images["order"])
            with torch.inference_mode():
                own = None if pixels is None else network(torch.from_numpy(pixels)).numpy().tolist()
            requests.append(("image/" + format, "application/json", body, {"predictions": own} if own else None))
        pixels = random.normal(size=(3, 3, 32, 32)).astype(np.float32)
        with torch.inference_mode():
            own = {"predictions": network(torch.from_numpy(pixels)).numpy().tolist()}
        file = io.BytesIO()
        np.save(file, pixels)
        requests.append(("application/x-npy", "application/json", file.getvalue(), own))
        requests.append(("application/x-npy", "application/x-npy", file.getvalue(), None))
        requests.append(("application/json", "text/csv", json.dumps(pixels.tolist()), None))
        yield name, program.model_proto, requests, images


def pictures():
    from PIL import Image

    for at, (width, height) in enumerate([(32, 32), (100, 60), (41, 77), (500, 333), (20, 30)]):
        levels = random.integers(0, 256, (height // 8 + 1, width // 8 + 1, 3)).astype(np.uint8)
        image = Image.fromarray(levels).resize((width, height), Image.BICUBIC)
        for format, mode, options in (
            ("png", "RGB", {}), ("png", "L", {}), ("png", "P", {}), ("png", "RGBA", {}), ("png", "1", {}), ("png", "I;16", {}),
            ("bmp", "RGB", {}), ("bmp", "L", {}), ("webp", "RGB", {"quality": 80}), ("webp", "RGBA", {"lossless": True}),
            ("jpeg", "RGB", {"quality": 75 + at}), ("jpeg", "L", {}), ("jpeg", "CMYK", {}), ("jpeg", "RGB", {"progressive": True, "subsampling": 0}),
        ):  # fmt: skip
            file = io.BytesIO()
            try:
                image.convert("L" if mode == "I;16" else mode).convert(mode).save(file, format, **options)
            except (OSError, ValueError):
                continue
            yield format, file.getvalue()
    yield "png", b"no image"


def prepared(body, order):
    """As torchvision's Resize(40), CenterCrop(32), ToTensor and Normalize do on Pillow's images; None for what they refuse or enlarge otherwise."""
    from PIL import Image

    try:
        image = Image.open(io.BytesIO(body))
        if image.mode in ("CMYK", "I;16", "I") or (image.format == "BMP" and image.mode != "RGB"):
            return None
        image = image.convert("RGB")
    except OSError:
        return None
    short = min(image.size)
    size = tuple(40 if side == short else int(40 * side / short) for side in image.size)
    image = image.resize(size, Image.BILINEAR)
    left, top = (int(round((side - 32) / 2.0)) for side in size)
    pixels = np.asarray(image.crop((left, top, left + 32, top + 32)), np.float32) / 255
    pixels = pixels[..., ::-1] if order == "BGR" else pixels
    pixels = (pixels - np.array(IMAGES["mean"], np.float32)) / np.array(IMAGES["std"], np.float32)
    return pixels.transpose(2, 0, 1)[np.newaxis].astype(np.float32)


def table_cases():
    import pandas
    from onnxmltools import convert_lightgbm, convert_xgboost
    from onnxmltools.convert.common.data_types import FloatTensorType as OwnFloats
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import FloatTensorType, StringTensorType
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    from sklearn.svm import SVC
    from lightgbm import LGBMClassifier
    from xgboost import XGBClassifier

    rows = random.normal(size=(300, 4)).astype(np.float32)
    classes = (rows[:, 0] + rows[:, 1] > 0).astype(int) + (rows[:, 2] > 1)
    names = np.array(["mid", "zero", "top"])[classes]
    some = rows[:6]
    text = "".join(",".join(repr(float(cell)) for cell in row) + "\n" for row in some)
    lines = "".join(json.dumps(row.tolist()) + "\n" for row in some)

    def requests(model):
        own = {"probabilities": model.predict_proba(some).tolist(), "label": model.predict(some).tolist()}
        return [
            ("text/csv", "application/json", text, own),
            ("text/csv", "text/csv", text, None),
            ("application/jsonlines", "application/json", lines, None),
            ("application/json", "application/json", json.dumps({"instances": some.tolist()}), own),
            ("application/json", "application/json", json.dumps(some[0].tolist()), None),
            ("text/csv", "application/json", "1,2,3\n", None),
            ("text/csv", "application/json", "1,2,x,4\n", None),
            ("text/csv", "application/json", '"1",2,,4\r\n1,nan,3,-4e-2\r\n', None),
            ("application/xml", "application/json", "<a/>", None),
            ("application/json", "application/xml", "[]", None),
            ("application/json", "application/json", '{"instances": [[1, 2], [3]]}', None),
            ("application/json", "application/json", '{"instances": [NaN]}', None),
        ]

    for name, model in {
        "sklearn_logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "sklearn_forest": RandomForestClassifier(20, random_state=0),
        "sklearn_boosting": GradientBoostingClassifier(n_estimators=10, random_state=0),
        "sklearn_neighbors": KNeighborsClassifier(3),
        "sklearn_svc": SVC(probability=True, random_state=0),
    }.items():
        for labels, kind in ((classes, "numbers"), (names, "texts")):
            model.fit(rows, labels)
            for zipmap in (True, False):
                options = {"zipmap": zipmap}
                yield f"{name}_{kind}_{'maps' if zipmap else 'tensors'}", to_onnx(model, rows[:1], options=options, target_opset=18), requests(model)
    boosted = XGBClassifier(n_estimators=10).fit(rows, classes)
    yield "xgboost", convert_xgboost(boosted, initial_types=[("x", OwnFloats([None, 4]))]), requests(boosted)
    light = LGBMClassifier(n_estimators=10, verbose=-1).fit(rows, classes)
    for zipmap in (True, False):
        converted = convert_lightgbm(light, initial_types=[("x", OwnFloats([None, 4]))], zipmap=zipmap)
        yield f"lightgbm_{'maps' if zipmap else 'tensors'}", converted, requests(light)
    colors = np.array(["red", "green", "blue"])[random.integers(0, 3, 300)]
    frame = pandas.DataFrame({"size": rows[:, 0], "color": colors})
    encoder = ColumnTransformer([("color", OneHotEncoder(), ["color"])], remainder=StandardScaler())
    mixed = make_pipeline(encoder, LogisticRegression()).fit(frame, names)
    types = [("size", FloatTensorType([None, 1])), ("color", StringTensorType([None, 1]))]
    own = {"probabilities": mixed.predict_proba(frame[:2]).tolist(), "label": mixed.predict(frame[:2]).tolist()}
    first = [{"size": float(size), "color": color} for size, color in zip(frame["size"][:2], frame["color"][:2])]
    cells = "".join(f"{row['size']},{row['color']}\n" for row in first)
    yield "sklearn_columns", to_onnx(mixed, initial_types=types, target_opset=18), [
        ("text/csv", "application/json", cells, own),
        ("application/json", "application/json", json.dumps({"instances": first}), own),
        ("application/json", "application/json", json.dumps({"inputs": {"size": [1.5], "color": ["red"]}}), None),
        ("application/json", "application/json", json.dumps({"instances": [{"size": 1}]}), None),
    ]


for kind in (node_cases, table_cases, torch_cases):
    for case in kind():
        write(*case)
