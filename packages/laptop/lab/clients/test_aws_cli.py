"""The AWS command line, as a terminal has it."""

import json
import os
import subprocess
import time

import pytest
from conftest import EXAMPLE, IMAGE, ROLE, images, unique


def run(*words, command="aws"):
    return subprocess.run([command, *words], capture_output=True, text=True)


def aws(*words, command="aws"):
    """What the command line prints, parsed if it is JSON."""
    done = run(*words, command=command)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout) if done.stdout.lstrip().startswith("{") else done.stdout


@pytest.fixture
def folder(tmp_path):
    inputs = tmp_path / "images"
    inputs.mkdir()
    a_minute_ago = time.time() - 60
    for name, body in images(4).items():
        (inputs / name).write_bytes(body)
        # S3 tells whole seconds: what is uploaded within the second of its birth looks older there, and is sent again.
        os.utime(inputs / name, (a_minute_ago, a_minute_ago))
    return inputs


def test_who_one_is(bucket):
    assert aws("sts", "get-caller-identity")["Account"] == "000000000000"


def test_files_are_copied_synchronized_listed_and_removed(bucket, folder, tmp_path):
    uri = f"s3://{bucket}/{unique('cli')}"
    copied = aws("s3", "cp", "--recursive", str(folder), f"{uri}/images")
    assert copied.count("upload: ") == 4
    assert aws("s3", "sync", str(folder), f"{uri}/images") == ""
    (folder / "0000_ankle-boot.png").unlink()
    assert aws("s3", "sync", "--delete", str(folder), f"{uri}/images").startswith("delete: ")
    listed = aws("s3", "ls", f"{uri}/images/0001", "--human-readable")
    assert listed.endswith("0001_pullover.png\n")
    assert aws("s3", "ls", f"{uri}/").split() == ["PRE", "images/"]
    aws("s3", "cp", "--quiet", "--recursive", f"{uri}/images", str(tmp_path / "back"))
    assert {path.name for path in (tmp_path / "back").iterdir()} == set(images(4)) - {"0000_ankle-boot.png"}
    aws("s3", "mv", f"{uri}/images/0001_pullover.png", f"{uri}/moved.png")
    assert aws("s3", "rm", "--recursive", uri).count("delete: ") == 3
    assert run("s3", "ls", f"{uri}/").returncode == 1


def test_a_large_file_goes_in_parts(bucket, tmp_path):
    body = bytes(range(256)) * 4096 * 12
    (tmp_path / "large").write_bytes(body)
    uri = f"s3://{bucket}/{unique('large')}"
    aws("s3", "cp", "--quiet", str(tmp_path / "large"), uri)
    aws("s3", "cp", "--quiet", uri, str(tmp_path / "again"))
    assert (tmp_path / "again").read_bytes() == body


@pytest.fixture(scope="session")
def version_two():
    """Version 2 of the command line, which alone has `logs tail` and is not on PyPI; None if the machine has none."""
    for place in os.environ["PATH"].split(os.pathsep):
        command = os.path.join(place, "aws")
        if os.access(command, os.X_OK) and run("--version", command=command).stdout.startswith("aws-cli/2."):
            return command
    return None


def test_a_transform_job_from_upload_to_log(bucket, folder, tmp_path, version_two):
    place = f"s3://{bucket}/{unique('cli-job')}"
    aws("s3", "cp", "--quiet", str(EXAMPLE / "model.tar.gz"), f"{place}/model.tar.gz")
    aws("s3", "sync", "--quiet", str(folder), f"{place}/in/")
    container = f"Image={IMAGE},ModelDataUrl={place}/model.tar.gz"
    created = aws(
        *("sagemaker", "create-model", "--model-name", "cli-fashion"),
        *("--primary-container", container, "--execution-role-arn", ROLE, "--tags", "Key=team,Value=vision"),
    )
    assert created["ModelArn"].endswith(":model/cli-fashion")
    assert aws("sagemaker", "list-tags", "--resource-arn", created["ModelArn"])["Tags"] == [{"Key": "team", "Value": "vision"}]
    source = {"DataSource": {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": f"{place}/in/"}}, "ContentType": "image/png"}
    request = tmp_path / "job.json"
    request.write_text(
        json.dumps(
            {
                "TransformJobName": "cli-job",
                "ModelName": "cli-fashion",
                "TransformInput": source,
                "TransformOutput": {"S3OutputPath": f"{place}/out"},
                "TransformResources": {"InstanceType": "ml.m5.large", "InstanceCount": 1},
            }
        )
    )
    aws("sagemaker", "create-transform-job", "--cli-input-json", f"file://{request}")
    describe = ("sagemaker", "describe-transform-job", "--transform-job-name", "cli-job")
    while aws(*describe)["TransformJobStatus"] == "InProgress":
        time.sleep(0.5)
    assert aws(*describe)["TransformJobStatus"] == "Completed"
    assert aws("s3", "ls", f"{place}/out/").count(".png.out\n") == 4
    found = aws("sagemaker", "list-transform-jobs", "--name-contains", "cli-job", "--status-equals", "Completed")
    assert [job["TransformJobName"] for job in found["TransformJobSummaries"]] == ["cli-job"]
    aws("sagemaker", "wait", "transform-job-completed-or-stopped", "--transform-job-name", "cli-job")
    group = "/aws/sagemaker/TransformJobs"
    settings = "MaxConcurrentTransforms=1, MaxPayloadInMB=6, BatchStrategy=MULTI_RECORD"
    filtered = ("--log-group-name", group, "--log-stream-name-prefix", "cli-job/", "--filter-pattern", "Payload")
    [event] = aws("logs", "filter-log-events", *filtered)["events"]
    assert event["message"].endswith(settings)
    if version_two:
        tail = aws(
            *("logs", "tail", group, "--since", "1h", "--log-stream-name-prefix", "cli-job/"),
            *("--endpoint-url", os.environ["AWS_ENDPOINT_URL"]),  # Before 2.13 it reads no variable.
            command=version_two,
        )
        assert settings in tail
    aws("sagemaker", "delete-model", "--model-name", "cli-fashion")


def test_a_refusal_is_told(bucket):
    done = run("sagemaker", "describe-model", "--model-name", "nobody")
    assert done.returncode != 0
    assert "(ValidationException) when calling the DescribeModel operation: Could not find model" in done.stderr


def test_the_lambda_functions_log_groups_are_listed(bucket):
    groups = aws("logs", "describe-log-groups", "--log-group-name-prefix", "/aws/lambda/")["logGroups"]
    assert any("inferdrop" in group["logGroupName"] for group in groups)
