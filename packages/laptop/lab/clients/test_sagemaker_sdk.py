"""The SageMaker Python SDK, called as the notebooks of the AWS examples call it."""

import json
import os
import shutil
import tarfile

import numpy
import pytest
import sagemaker
from botocore.exceptions import ClientError
from conftest import ANSWERS, CLASSES, EXAMPLE, NUMBERS, ROLE, images, numbers_archive, pack, unique
from sagemaker.exceptions import UnexpectedStatusException
from sagemaker.pytorch import PyTorchModel
from sagemaker.s3 import S3Downloader, S3Uploader
from sagemaker.tensorflow import TensorFlowModel
from sagemaker.tensorflow.serving import Model
from sagemaker.transformer import Transformer


@pytest.fixture(scope="module")
def session(bucket):
    # The SDK asks for the account of its own default bucket at a fixed public address, so a bucket is named.
    return sagemaker.Session(default_bucket=bucket)


@pytest.fixture(scope="module")
def fashion(session):
    model_data = session.upload_data(str(EXAMPLE / "model.tar.gz"), key_prefix=unique("sdk/model"))
    return Model(model_data=model_data, role=ROLE, framework_version="2.19.0", sagemaker_session=session)


@pytest.fixture
def numbers(session, numbers_data):
    return TensorFlowModel(model_data=numbers_data, role=ROLE, framework_version="2.19.0", sagemaker_session=session)


@pytest.fixture
def folder(tmp_path):
    """A folder of the example's first images."""

    def folder(count, **more):
        for name, body in {**images(count), **more}.items():
            (tmp_path / name).write_bytes(body)
        return str(tmp_path)

    return folder


def read_outputs(session, transformer):
    outputs = S3Downloader.list(transformer.output_path, sagemaker_session=session)
    return {uri.rpartition("/")[2]: S3Downloader.read_file(uri, sagemaker_session=session) for uri in outputs}


def test_batch_inference_of_images(session, fashion, folder, capsys):
    """Two instances, requests in parallel, the containers' log while waiting."""
    name = unique("sdk/images")
    inputs = session.upload_data(path=folder(12), key_prefix=name)
    assert inputs == f"s3://{session.default_bucket()}/{name}"
    transformer = fashion.transformer(
        instance_count=2,
        instance_type="ml.p3.2xlarge",
        max_concurrent_transforms=32,
        max_payload=1,
        output_path=f"s3://{session.default_bucket()}/{unique('sdk/predictions')}",
    )
    transformer.transform(data=inputs, content_type="application/x-image", wait=True, logs=True)
    assert "MaxConcurrentTransforms=32, MaxPayloadInMB=1" in capsys.readouterr().out
    answers = read_outputs(session, transformer)
    assert set(answers) == {f"{image}.out" for image in images(12)}
    right = [
        CLASSES[json.loads(answer)["predictions"][0]["classes"]] == image.removesuffix(".png.out").partition("_")[2]
        for image, answer in answers.items()
    ]
    assert sum(right) >= 11


def test_images_named_by_a_manifest(session, fashion, folder, tmp_path):
    """Exactly the images of the list, with the manifest written and uploaded as the MNIST notebook does."""
    prefix = unique("sdk/mnist")
    session.upload_data(path=folder(5), key_prefix=f"{prefix}/images")
    manifest = tmp_path / "manifest.json"
    names = list(images(5))[1:4]
    manifest.write_text(json.dumps([{"prefix": f"s3://{session.default_bucket()}/{prefix}/images/"}, *names]) + "\n")
    uploaded = session.upload_data(path=str(manifest), key_prefix=prefix)
    transformer = fashion.transformer(instance_count=1, instance_type="ml.c4.xlarge", output_path=f"{session_uri(session)}/{prefix}-out")
    transformer.transform(data=uploaded, data_type="ManifestFile", content_type="application/x-image", wait=False)
    session.wait_for_transform_job(transformer.latest_transform_job.name, poll=1)
    assert set(read_outputs(session, transformer)) == {f"{name}.out" for name in names}


def session_uri(session):
    return f"s3://{session.default_bucket()}"


def test_outputs_without_a_path_go_below_the_default_bucket(session, fashion, folder):
    inputs = session.upload_data(path=folder(1), key_prefix=unique("sdk/one"))
    transformer = fashion.transformer(instance_count=1, instance_type="ml.m5.large")
    transformer.transform(inputs, content_type="image/png", wait=False)
    name = transformer.latest_transform_job.name
    assert transformer.output_path.startswith(f"{session_uri(session)}/")
    assert name in transformer.output_path
    session.wait_for_transform_job(name, poll=1)
    assert list(read_outputs(session, transformer)) == ["0000_ankle-boot.png.out"]


def test_a_job_that_fails_raises_with_its_reason(session, fashion, folder):
    inputs = session.upload_data(path=folder(2, **{"broken.png": b"GIF"}), key_prefix=unique("sdk/broken"))
    transformer = fashion.transformer(
        instance_count=1, instance_type="ml.m5.large", output_path=f"{session_uri(session)}/{unique('sdk/failed')}"
    )
    transformer.transform(inputs, content_type="application/x-image", wait=False)
    with pytest.raises(UnexpectedStatusException, match="AlgorithmError: See job logs for more information"):
        session.wait_for_transform_job(transformer.latest_transform_job.name, poll=1)
    assert len(read_outputs(session, transformer)) == 2


def test_rows_are_joined_with_their_results(session, numbers):
    records = "".join(json.dumps({"id": n, "features": row}) + "\n" for n, row in enumerate(NUMBERS))
    inputs = f"{session_uri(session)}/{unique('sdk/rows')}/rows.jsonl"
    S3Uploader.upload_string_as_file_body(records, inputs, sagemaker_session=session)
    transformer = numbers.transformer(
        instance_count=1,
        instance_type="ml.m5.large",
        strategy="SingleRecord",
        assemble_with="Line",
        accept="application/jsonlines",
        output_path=f"{session_uri(session)}/{unique('sdk/joined')}",
    )
    transformer.transform(
        inputs,
        content_type="application/jsonlines",
        split_type="Line",
        input_filter="$.features",
        join_source="Input",
        output_filter="$['id','SageMakerOutput']",
        wait=False,
    )
    session.wait_for_transform_job(transformer.latest_transform_job.name, poll=1)
    rows = [json.loads(row) for row in read_outputs(session, transformer)["rows.jsonl.out"].splitlines()]
    assert [row["id"] for row in rows] == list(range(len(NUMBERS)))
    assert [row["SageMakerOutput"]["predictions"][0] for row in rows] == [pytest.approx(a, rel=1e-5) for a in ANSWERS]


def test_a_script_is_packed_into_the_archive_by_the_sdk(session, tmp_path):
    """`entry_point` makes the SDK download the archive, add the script, and upload it again."""
    (tmp_path / "model.tar.gz").write_bytes(numbers_archive())
    (tmp_path / "inference.py").write_text(
        "import json\n"
        "def input_handler(data, context):\n"
        "    return json.dumps({'instances': [[float(x) for x in data.read().decode().split(';')]]})\n"
        "def output_handler(response, context):\n"
        "    best = max(response.json()['predictions'][0])\n"
        "    return '{:.3f} by {}'.format(best, context.request_content_type), 'text/plain'\n"
    )
    model = TensorFlowModel(
        model_data=session.upload_data(str(tmp_path / "model.tar.gz"), key_prefix=unique("sdk/bare")),
        entry_point=str(tmp_path / "inference.py"),
        role=ROLE,
        framework_version="2.19.0",
        sagemaker_session=session,
    )
    body = ";".join(str(x) for x in NUMBERS[0])
    inputs = f"{session_uri(session)}/{unique('sdk/text')}/row.txt"
    S3Uploader.upload_string_as_file_body(body, inputs, sagemaker_session=session)
    transformer = model.transformer(1, "ml.m5.large", output_path=f"{session_uri(session)}/{unique('sdk/text-out')}")
    transformer.transform(inputs, content_type="text/x-row", wait=False)
    session.wait_for_transform_job(transformer.latest_transform_job.name, poll=1)
    expected = f"{max(ANSWERS[0]):.3f} by text/x-row"
    assert read_outputs(session, transformer) == {"row.txt.out": expected}


def test_a_pytorch_model_with_a_script_of_any_name(session, tmp_path):
    """The MNIST notebook: the weights in the archive, the script beside it, images named by a manifest, two instances."""
    example = EXAMPLE.parent / "pytorch-fashion-mnist"
    with tarfile.open(example / "model.tar.gz") as archive:
        weights = archive.extractfile("model.pth").read()
    work = tmp_path / "work"
    source = shutil.copytree(example / "code", work / "code", ignore=shutil.ignore_patterns("__pycache__"))
    (source / "inference.py").rename(source / "mnist.py")
    (work / "model.tar.gz").write_bytes(pack({"model.pth": weights}))
    prefix = unique("sdk/pytorch")
    model = PyTorchModel(
        model_data=session.upload_data(str(work / "model.tar.gz"), key_prefix=prefix),
        role=ROLE,
        framework_version="2.6.0",
        py_version="py312",
        source_dir=str(source),
        entry_point="mnist.py",
        env={"SAGEMAKER_MODEL_SERVER_WORKERS": "1"},
        sagemaker_session=session,
    )
    (tmp_path / "images").mkdir()
    for name, body in images(6).items():
        (tmp_path / "images" / name).write_bytes(body)
    session.upload_data(str(tmp_path / "images"), key_prefix=f"{prefix}/images")
    manifest = [{"prefix": f"{session_uri(session)}/{prefix}/images/"}, *images(6)]
    (work / "manifest.json").write_text(json.dumps(manifest))
    inputs = session.upload_data(str(work / "manifest.json"), key_prefix=prefix)
    try:
        transformer = model.transformer(2, "ml.c4.xlarge", output_path=f"{session_uri(session)}/{prefix}/out")
    except ClientError as refused:
        if "inferdrop containers install pytorch" not in str(refused):
            raise
        pytest.skip("PyTorch is not installed for the stack's containers: inferdrop containers install pytorch")
    transformer.transform(inputs, data_type="ManifestFile", content_type="application/x-image", wait=False)
    session.wait_for_transform_job(transformer.latest_transform_job.name, poll=1)
    answers = read_outputs(session, transformer)
    assert set(answers) == {f"{name}.out" for name in images(6)}
    right = [
        CLASSES[numpy.argmax(json.loads(answer)["predictions"][0])] == name.removesuffix(".png.out").partition("_")[2]
        for name, answer in answers.items()
    ]
    assert sum(right) >= 5


def test_a_job_is_found_again_and_stopped(session, fashion, folder):
    inputs = session.upload_data(path=folder(200), key_prefix=unique("sdk/stopped"))
    transformer = fashion.transformer(
        1, "ml.m5.large", output_path=f"{session_uri(session)}/{unique('sdk/stopped-out')}", tags=[{"Key": "a", "Value": "b"}]
    )
    transformer.transform(inputs, content_type="application/x-image", wait=False)
    # At once, while the container starts: a slow client would find the job ended.
    transformer.stop_transform_job(wait=False)
    again = Transformer.attach(transformer.latest_transform_job.name, sagemaker_session=session)
    assert again.output_path == transformer.output_path
    ended = session.wait_for_transform_job(again.latest_transform_job.name, poll=1)
    assert ended["TransformJobStatus"] == "Stopped"
    assert read_outputs(session, transformer) == {}


def test_a_model_is_deleted(session, numbers):
    transformer = numbers.transformer(1, "ml.m5.large")
    names = lambda: [model["ModelName"] for model in session.sagemaker_client.list_models(MaxResults=100)["Models"]]
    assert transformer.model_name in names()
    transformer.delete_model()
    assert transformer.model_name not in names()


def test_folders_travel_both_ways(session, folder, tmp_path):
    uploaded = S3Uploader.upload(folder(3), f"{session_uri(session)}/{unique('sdk/folder')}", sagemaker_session=session)
    down = tmp_path / "down"
    S3Downloader.download(uploaded, str(down), sagemaker_session=session)
    assert {name: (down / name).read_bytes() for name in os.listdir(down)} == images(3)
