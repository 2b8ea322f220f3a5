"""The notebooks' own training: the SageMaker SDK's estimators with scripts that make the calls of the notebooks' own: torchvision's data
sets, Keras 2's `save`. `npm run lab -- notebooks` runs them, and so does the weekly workflow."""

import struct

import numpy
import pytest
import sagemaker
from conftest import ROLE
from sagemaker.pytorch import PyTorch
from sagemaker.tensorflow import TensorFlow
from test_training import SCRIPTS, untar

pytestmark = pytest.mark.frameworks
REGION = "us-east-1"


@pytest.fixture(scope="module")
def session(bucket):
    return sagemaker.Session(default_bucket=bucket)


@pytest.fixture(scope="module")
def sample_data(s3, tmp_path_factory):
    """Stands in for the public bucket of the notebooks: ten patterns of 784 pixels with noise, under the same names."""
    folder = tmp_path_factory.mktemp("mnist")
    random = numpy.random.default_rng(3)
    patterns = random.random((10, 784))
    bucket = f"sagemaker-sample-data-{REGION}"
    s3.create_bucket(Bucket=bucket)
    parts = {}
    for name, count in (("train", 500), ("eval", 100)):
        labels = random.integers(0, 10, count).astype("int32")
        data = (patterns[labels] + random.normal(0, 0.5, (count, 784))).clip(0, 1).astype("float32")
        parts[name] = (data, labels)
        for kind, values in (("data", data), ("labels", labels)):
            numpy.save(folder / f"{name}_{kind}.npy", values)
            s3.upload_file(str(folder / f"{name}_{kind}.npy"), bucket, f"tensorflow/mnist/{name}_{kind}.npy")
    return f"s3://{bucket}/tensorflow/mnist", parts


@pytest.fixture(scope="module")
def raw_mnist(session, sample_data, tmp_path_factory):
    """The same in the files that `torchvision.datasets.MNIST` reads, uploaded as the notebook does it."""
    folder = tmp_path_factory.mktemp("torchvision")
    raw = folder / "MNIST" / "raw"
    raw.mkdir(parents=True)
    for name, part in (("train", "train"), ("t10k", "eval")):
        data, labels = sample_data[1][part]
        (raw / f"{name}-images-idx3-ubyte").write_bytes(
            struct.pack(">IIII", 2051, len(data), 28, 28) + (data * 255).astype("uint8").tobytes()
        )
        (raw / f"{name}-labels-idx1-ubyte").write_bytes(struct.pack(">II", 2049, len(labels)) + labels.astype("uint8").tobytes())
    return session.upload_data(path=str(folder), key_prefix="training/torchvision")


def correct(answers, labels):
    return numpy.mean(numpy.argmax(numpy.array(answers), axis=1) == labels)


def test_mnist_in_pytorch_on_two_hosts_over_gloo(session, raw_mnist, sample_data, capsys):
    parts = sample_data[1]
    estimator = PyTorch(
        entry_point=str(SCRIPTS / "pytorch" / "mnist.py"),
        role=ROLE,
        framework_version="1.5.0",
        py_version="py3",
        instance_count=2,
        instance_type="ml.c4.xlarge",
        hyperparameters={"epochs": 6, "backend": "gloo"},
        metric_definitions=[{"Name": "accuracy", "Regex": "Accuracy: ([0-9.]+);"}],
        sagemaker_session=session,
    )
    estimator.fit({"training": raw_mnist})
    printed = capsys.readouterr().out
    assert "rank 0 of 2 over gloo" in printed and "rank 1 of 2 over gloo" in printed
    weights = [line.rpartition("weights ")[2].strip() for line in printed.splitlines() if "weights " in line]
    assert len(weights) == 2 and len(set(weights)) == 1
    [metric] = estimator.latest_training_job.describe()["FinalMetricDataList"]
    assert metric["Value"] > 0.8
    assert list(untar(session, estimator.model_data)) == ["model.pth"]

    again = PyTorch.attach(estimator.latest_training_job.name, sagemaker_session=session)
    predictor = again.deploy(initial_instance_count=1, instance_type="ml.c5.xlarge")
    try:
        data, labels = parts["eval"]
        assert correct(predictor.predict((data[:50] - 0.5) / 0.5), labels[:50]) > 0.8
    finally:
        predictor.delete_endpoint()


@pytest.mark.parametrize("hosts", [1, 2])
def test_mnist_in_tensorflow_with_parameter_servers(session, sample_data, hosts, capsys):
    training_data_uri, parts = sample_data
    estimator = TensorFlow(
        entry_point=str(SCRIPTS / "tensorflow" / "mnist-2.py"),
        role=ROLE,
        instance_count=hosts,
        instance_type="ml.p2.xlarge",
        framework_version="2.1.0",
        py_version="py3",
        distribution={"parameter_server": {"enabled": True}},
        sagemaker_session=session,
    )
    estimator.fit(training_data_uri)
    printed = capsys.readouterr().out
    # With one host the container starts no server.
    assert ("task None" in printed) == (hosts == 1)
    assert ("'type': 'master'" in printed) == (hosts == 2)
    assert "the image has TensorFlow 2.1.0; what runs here is TensorFlow 2." in printed
    assert "with Keras 2 as in the image" in printed
    if hosts == 2:
        return
    predictor = estimator.deploy(initial_instance_count=1, instance_type="ml.c5.xlarge")
    try:
        data, labels = parts["eval"]
        assert correct(predictor.predict(data[:50])["predictions"], labels[:50]) > 0.8
    finally:
        predictor.delete_endpoint()
