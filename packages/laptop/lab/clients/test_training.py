"""Training as the notebooks of the AWS examples do it: the SageMaker SDK's estimators, boto3 and the AWS command line."""

import io
import json
import pathlib
import struct
import subprocess
import tarfile
import time

import numpy
import pytest
import sagemaker
from botocore.exceptions import ClientError, WaiterError
from conftest import ANSWERS, GRAPHS, NUMBERS, ROLE, unique
from sagemaker.analytics import TrainingJobAnalytics
from sagemaker.exceptions import UnexpectedStatusException
from sagemaker.inputs import ShuffleConfig, TrainingInput
from sagemaker.pytorch import PyTorch
from sagemaker.s3 import S3Downloader
from sagemaker.tensorflow import TensorFlow

SCRIPTS = pathlib.Path(__file__).parent / "scripts"
IMAGE = "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.6.0-cpu-py312"


@pytest.fixture(scope="module")
def session(bucket):
    return sagemaker.Session(default_bucket=bucket)


@pytest.fixture(scope="module")
def digits(session, tmp_path_factory):
    """Three kinds of rows, and where they lie."""
    folder = tmp_path_factory.mktemp("data")
    random = numpy.random.default_rng(7)
    labels = random.integers(0, 3, 240)
    numpy.save(folder / "labels.npy", labels)
    numpy.save(folder / "rows.npy", numpy.eye(3)[labels] + random.normal(0, 0.3, (240, 3)))
    return session.upload_data(path=str(folder), key_prefix=unique("training/data"))


def pytorch(session, entry_point, **more):
    given = {"instance_count": 1, "instance_type": "ml.c4.xlarge", "framework_version": "1.5.0", "py_version": "py3", **more}
    return PyTorch(entry_point=str(entry_point), role=ROLE, sagemaker_session=session, **given)


def untar(session, uri):
    """Names and bytes in an archive of S3."""
    archive = tarfile.open(fileobj=io.BytesIO(S3Downloader.read_bytes(uri, sagemaker_session=session)))
    return {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}


def script(tmp_path, text):
    (tmp_path / "train.py").write_text(text)
    return tmp_path / "train.py"


def test_pytorch_estimator_on_two_hosts(session, digits, capsys):
    """The MNIST notebook: fit, its log, the model, attach."""
    estimator = pytorch(
        session,
        SCRIPTS / "mnist.py",
        instance_count=2,
        hyperparameters={"epochs": 6, "backend": "gloo"},
        metric_definitions=[{"Name": "accuracy", "Regex": "accuracy: ([0-9.]+);"}],
    )
    estimator.fit({"training": digits})
    printed = capsys.readouterr().out
    for text in ("Starting the training job", "Downloading input data", "Training in progress", "Uploading generated training model"):
        assert text in printed
    assert printed.count("backend gloo, 2 hosts, weights ") == 2
    weights = {line.rpartition("weights ")[2].strip() for line in printed.splitlines() if "hosts, weights" in line}
    assert len(weights) == 1
    assert "Training seconds: " in printed and "Billable seconds: " in printed

    name = estimator.latest_training_job.name
    assert estimator.model_data == f"s3://{session.default_bucket()}/{name}/output/model.tar.gz"
    model = numpy.load(io.BytesIO(untar(session, estimator.model_data)["model.npy"]))
    assert model.shape == (3, 3)
    described = estimator.latest_training_job.describe()
    [metric] = described["FinalMetricDataList"]
    assert metric["MetricName"] == "accuracy" and metric["Value"] > 0.9
    curve = TrainingJobAnalytics(name, ["accuracy"], sagemaker_session=session).dataframe()
    assert curve["value"].max() > 0.9
    tags = session.sagemaker_client.list_tags(ResourceArn=described["TrainingJobArn"])["Tags"]
    assert {"inferdrop:runtime"} <= {tag["Key"] for tag in tags}

    again = PyTorch.attach(name, sagemaker_session=session)
    assert again.model_data == estimator.model_data
    assert again.hyperparameters()["backend"] == '"gloo"'
    assert (again.instance_count, again.entry_point) == (2, "mnist.py")


def test_tensorflow_estimator_trains_and_serves(session, capsys):
    """The MNIST notebook: parameter servers asked for on one host, one channel without a name, an endpoint."""
    data = session.upload_data(str(GRAPHS / "inner_feed"), key_prefix=unique("training/tensorflow"))
    estimator = TensorFlow(
        entry_point=str(SCRIPTS / "export.py"),
        role=ROLE,
        instance_count=1,
        instance_type="ml.p2.xlarge",
        framework_version="2.1.0",
        py_version="py3",
        distribution={"parameter_server": {"enabled": True}},
        sagemaker_session=session,
    )
    estimator.fit(data)
    name = estimator.latest_training_job.name
    assert f"arguments ['--model_dir', 's3://{session.default_bucket()}/{name}/model'] False" in capsys.readouterr().out
    predictor = estimator.deploy(initial_instance_count=1, instance_type="ml.c5.xlarge")
    try:
        predictions = predictor.predict(numpy.array(NUMBERS))["predictions"]
    finally:
        predictor.delete_endpoint()
    assert predictions == [pytest.approx(answer, rel=1e-4) for answer in ANSWERS]


def test_a_script_that_fails_raises_with_its_error(session, tmp_path):
    estimator = pytorch(session, script(tmp_path, "import nothing_of_this_name\n"), framework_version="2.6.0", py_version="py312")
    with pytest.raises(UnexpectedStatusException, match="No module named 'nothing_of_this_name'") as raised:
        estimator.fit()
    assert raised.value.actual_status == "Failed"
    assert "AlgorithmError: ExecuteUserScriptError:" in str(raised.value)


def test_a_script_that_leaves_nothing_has_no_archive(session, tmp_path, s3):
    estimator = pytorch(session, script(tmp_path, "print('val_loss: nan;')\n"), metric_definitions=[{"Name": "loss", "Regex": "val_loss: (.*);"}])
    estimator.fit()
    described = estimator.latest_training_job.describe()
    assert described["TrainingJobStatus"] == "Completed"
    assert "FinalMetricDataList" not in described
    with pytest.raises(ClientError, match="404|NoSuchKey"):
        s3.head_object(Bucket=session.default_bucket(), Key=estimator.model_data.split("/", 3)[3])


def test_a_job_is_stopped_and_keeps_what_it_saved(session, tmp_path, s3):
    waits = "import os, signal, sys, time\ndef save(*_):\n    open(os.environ['SM_MODEL_DIR'] + '/half', 'w').close(); sys.exit(0)\n"
    waits += "signal.signal(signal.SIGTERM, save)\nprint('waiting')\nwhile True: time.sleep(1)\n"
    estimator = pytorch(session, script(tmp_path, waits))
    estimator.fit(wait=False)
    name = estimator.latest_training_job.name
    while "waiting" not in log_of(session, name):
        time.sleep(0.2)
    estimator.latest_training_job.stop()
    while session.describe_training_job(name)["TrainingJobStatus"] != "Stopped":
        time.sleep(0.2)
    assert list(untar(session, estimator.model_data)) == ["half"]


def test_pipe_mode_gives_exact_records_in_every_epoch(session, tmp_path, capsys):
    """Records of TFRecord files in FIFOs, one an epoch; two hosts with half of the files each."""
    reads = """
import os, struct, time
def count(epoch):
    path = os.path.join(os.environ["SM_INPUT_DIR"], "data", "train_%d" % epoch)
    while not os.path.exists(path):
        time.sleep(0.01)
    records = 0
    with open(path, "rb") as pipe:
        while header := pipe.read(12):
            pipe.read(struct.unpack("<Q", header[:8])[0] + 4)
            records += 1
    return records
print("records", [count(epoch) for epoch in range(3)], os.environ["SM_INPUT_DATA_CONFIG"])
"""
    for file in range(4):
        record = struct.pack("<Q", 5000) + bytes(4) + bytes(5000) + bytes(4)
        (tmp_path / f"{file}.tfrecords").write_bytes(record * 250)
    data = session.upload_data(str(tmp_path), key_prefix=unique("training/records"))
    (tmp_path / "source").mkdir()
    estimator = pytorch(session, script(tmp_path / "source", reads), instance_count=2, input_mode="Pipe")
    channel = TrainingInput(data, distribution="ShardedByS3Key", shuffle_config=ShuffleConfig(3), input_mode="Pipe")
    estimator.fit({"train": channel})
    printed = capsys.readouterr().out
    assert printed.count('records [500, 500, 500] {"train":{') == 2
    assert "Downloading" not in printed


def test_spot_instances_and_checkpoints(session, tmp_path, capsys):
    """A second job goes on where the first has ended; both are billed less than they trained."""
    trains = """
import os, time
folder = "/opt/ml/checkpoints"
done = sorted(os.listdir(folder))
print("found", done)
time.sleep(2)
open(os.path.join(folder, "epoch-%d" % (len(done) + 1)), "w").close()
"""
    checkpoints = f"s3://{session.default_bucket()}/{unique('training/checkpoints')}"
    for found in ("found []", "found ['epoch-1']"):
        estimator = pytorch(
            session, script(tmp_path, trains), use_spot_instances=True, max_run=600, max_wait=1200, checkpoint_s3_uri=checkpoints
        )
        estimator.fit()
        printed = capsys.readouterr().out
        assert found in printed
        assert "Managed Spot Training savings: " in printed
    assert len(S3Downloader.list(checkpoints, sagemaker_session=session)) == 2


def log_of(session, name):
    logs = session.boto_session.client("logs")
    group = "/aws/sagemaker/TrainingJobs"
    try:
        events = logs.filter_log_events(logGroupName=group, logStreamNamePrefix=f"{name}/")["events"]
    except ClientError:
        return ""
    return "\n".join(event["message"] for event in events)


@pytest.fixture(scope="module")
def source(s3, bucket):
    """A source as the SDK packs it, put there by hand."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(SCRIPTS / "mnist.py", "mnist.py")
    s3.put_object(Bucket=bucket, Key="training/sourcedir.tar.gz", Body=packed.getvalue())
    return f"s3://{bucket}/training/sourcedir.tar.gz"


def request(name, bucket, source, data, **more):
    """A request as boto3 and the command line send it."""
    return {
        "TrainingJobName": name,
        "RoleArn": ROLE,
        "AlgorithmSpecification": {"TrainingImage": IMAGE, "TrainingInputMode": "File"},
        "HyperParameters": {"sagemaker_program": "mnist.py", "sagemaker_submit_directory": source, "epochs": "2"},
        "InputDataConfig": [
            {
                "ChannelName": "training",
                "DataSource": {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": data, "S3DataDistributionType": "FullyReplicated"}},
            }
        ],
        "OutputDataConfig": {"S3OutputPath": f"s3://{bucket}/training/out"},
        "ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 30},
        "StoppingCondition": {"MaxRuntimeInSeconds": 600},
        **more,
    }


def test_boto3_creates_lists_and_deletes(sagemaker_client, bucket, source, digits):
    name = unique("boto3-training")
    asked = request(name, bucket, source, digits, Tags=[{"Key": "team", "Value": "vision"}])
    arn = sagemaker_client.create_training_job(**asked)["TrainingJobArn"]
    assert arn.endswith(f":training-job/{name}")
    with pytest.raises(sagemaker_client.exceptions.ResourceInUse):
        sagemaker_client.create_training_job(**asked)
    waiter = sagemaker_client.get_waiter("training_job_completed_or_stopped")
    waiter.wait(TrainingJobName=name, WaiterConfig={"Delay": 1})
    described = sagemaker_client.describe_training_job(TrainingJobName=name)
    assert [step["Status"] for step in described["SecondaryStatusTransitions"]] == [
        *("Starting", "Downloading", "Training", "Uploading", "Completed")
    ]
    assert described["HyperParameters"] == asked["HyperParameters"]
    pages = sagemaker_client.get_paginator("list_training_jobs").paginate(NameContains=name, StatusEquals="Completed")
    assert [job["TrainingJobArn"] for page in pages for job in page["TrainingJobSummaries"]] == [arn]
    with pytest.raises(ClientError, match="the training job is in status Completed"):
        sagemaker_client.stop_training_job(TrainingJobName=name)
    sagemaker_client.delete_training_job(TrainingJobName=name)
    with pytest.raises(ClientError, match="Requested resource not found"):
        sagemaker_client.describe_training_job(TrainingJobName=name)


def test_a_waiter_sees_a_failure(sagemaker_client, bucket, source, digits):
    name = unique("boto3-training")
    gone = request(name, bucket, source, digits)
    gone["HyperParameters"]["sagemaker_program"] = "other.py"
    sagemaker_client.create_training_job(**gone)
    with pytest.raises(WaiterError):
        sagemaker_client.get_waiter("training_job_completed_or_stopped").wait(TrainingJobName=name, WaiterConfig={"Delay": 1})
    assert "other.py" in sagemaker_client.describe_training_job(TrainingJobName=name)["FailureReason"]


def test_a_prefix_without_objects_is_refused(sagemaker_client, bucket, source):
    with pytest.raises(ClientError, match="No S3 objects found under S3 URL"):
        sagemaker_client.create_training_job(**request("empty", bucket, source, f"s3://{bucket}/nothing-there/"))


def aws(*words):
    done = subprocess.run(["aws", "sagemaker", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout else None


def test_the_command_line_creates_describes_lists_and_stops(bucket, s3, tmp_path, digits):
    waits = io.BytesIO()
    with tarfile.open(fileobj=waits, mode="w:gz") as archive:
        archive.add(script(tmp_path, "import time\nwhile True: time.sleep(1)\n"), "train.py")
    s3.put_object(Bucket=bucket, Key="training/waits.tar.gz", Body=waits.getvalue())
    name = unique("cli-training")
    asked = request(name, bucket, f"s3://{bucket}/training/waits.tar.gz", digits)
    asked["HyperParameters"]["sagemaker_program"] = "train.py"
    (tmp_path / "job.json").write_text(json.dumps(asked))
    aws("create-training-job", "--cli-input-json", f"file://{tmp_path / 'job.json'}")
    describe = ("describe-training-job", "--training-job-name", name)
    while aws(*describe)["SecondaryStatus"] != "Training":
        time.sleep(0.2)
    found = aws("list-training-jobs", "--name-contains", name, "--status-equals", "InProgress")
    assert [job["TrainingJobName"] for job in found["TrainingJobSummaries"]] == [name]
    aws("stop-training-job", "--training-job-name", name)
    while aws(*describe)["TrainingJobStatus"] == "Stopping":
        time.sleep(0.2)
    assert aws(*describe)["SecondaryStatus"] == "Stopped"
