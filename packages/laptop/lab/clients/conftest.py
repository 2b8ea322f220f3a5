"""What every client test needs: buckets, archives and images, and jobs that are waited for."""

import io
import itertools
import json
import pathlib
import tarfile
import time
import types

import boto3
import pytest
import sagemaker.session

ROOT = pathlib.Path(__file__).parents[4]
EXAMPLE = ROOT / "examples" / "fashion-mnist"
ROLE = "arn:aws:iam::000000000000:role/sagemaker"
IMAGE = "763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.19.0-cpu"
CLASSES = "t-shirt trouser pullover dress coat sandal shirt sneaker bag ankle-boot".split()

GRAPHS = ROOT / "packages" / "savedmodel" / "test" / "fixtures"
_graphs = json.loads((GRAPHS / "graphs.json").read_text())
# Rows of six numbers, and what TensorFlow makes of them with the model of `numbers_archive`.
NUMBERS = _graphs["input"]
ANSWERS = _graphs["answers"]["inner_feed"]["serving_default"]

_count = itertools.count(1)


def unique(base):
    """A name that no other test takes."""
    return f"{base}-{next(_count)}"


def images(count):
    """The example's first images by name: `0000_ankle-boot.png` and so on."""
    paths = sorted((EXAMPLE / "images").iterdir())[:count]
    return {path.name: path.read_bytes() for path in paths}


def pack(files):
    """A model.tar.gz of files by their names in it."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, body in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
    return packed.getvalue()


def numbers_archive(**scripts):
    """A network from six numbers to four others, without a script unless one is given."""
    source = GRAPHS / "inner_feed"
    files = {f"numbers/1/{path.relative_to(source)}": path.read_bytes() for path in source.rglob("*") if path.is_file()}
    return pack({**files, **{f"code/{name}.py": body.encode() for name, body in scripts.items()}})


@pytest.fixture(scope="session", autouse=True)
def quick():
    """The SDK pauses ten seconds between looks at a log, thirty between looks at a job or an endpoint, by the clock; here it has one
    that is a hundred times as fast."""
    clock = types.SimpleNamespace(
        **{**vars(time), "time": lambda: time.time() * 100, "sleep": lambda seconds: time.sleep(min(seconds, 0.3))}
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sagemaker.session, "time", clock)
        yield


@pytest.fixture(scope="session")
def s3():
    return boto3.client("s3")


@pytest.fixture(scope="session")
def sagemaker_client():
    return boto3.client("sagemaker")


@pytest.fixture(scope="session")
def bucket(s3):
    s3.create_bucket(Bucket="clients")
    return "clients"


@pytest.fixture
def upload(s3, bucket):
    """Puts files below a prefix of its own and gives its URI, with a slash at the end."""

    def upload(files):
        prefix = unique("in")
        for name, body in files.items():
            s3.put_object(Bucket=bucket, Key=f"{prefix}/{name}", Body=body)
        return f"s3://{bucket}/{prefix}/"

    return upload


@pytest.fixture
def outputs(s3, bucket):
    """The objects below a URI, by their names relative to it."""

    def outputs(uri):
        prefix = uri.removeprefix(f"s3://{bucket}/").rstrip("/") + "/"
        pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        keys = [item["Key"] for page in pages for item in page.get("Contents", [])]
        return {key.removeprefix(prefix): s3.get_object(Bucket=bucket, Key=key)["Body"].read() for key in keys}

    return outputs


@pytest.fixture(scope="session")
def fashion_data(s3, bucket):
    """Where the example's archive lies: images in, ten probabilities out."""
    s3.upload_file(str(EXAMPLE / "model.tar.gz"), bucket, "models/fashion/model.tar.gz")
    return f"s3://{bucket}/models/fashion/model.tar.gz"


@pytest.fixture(scope="session")
def numbers_data(s3, bucket):
    """Where an archive without a script lies: six numbers in, four others out."""
    s3.put_object(Bucket=bucket, Key="models/numbers/model.tar.gz", Body=numbers_archive())
    return f"s3://{bucket}/models/numbers/model.tar.gz"


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:
        return
    count = {name: len(reporter.stats.get(name, [])) for name in ("passed", "failed", "error")}
    reporter.write_line(f"Tests: {count['passed']} passed, {count['failed'] + count['error']} failed")
