"""The API through boto3, as a user's script calls it."""

import json

import boto3
import pytest
from botocore.exceptions import ClientError, WaiterError
from conftest import ANSWERS, CLASSES, IMAGE, NUMBERS, ROLE, images, unique


@pytest.fixture(scope="module")
def fashion(sagemaker_client, fashion_data):
    return create_model(sagemaker_client, "boto3-fashion", fashion_data)


@pytest.fixture(scope="module")
def numbers(sagemaker_client, numbers_data):
    return create_model(sagemaker_client, "boto3-numbers", numbers_data)


def create_model(client, name, data, **container):
    client.create_model(
        ModelName=name,
        PrimaryContainer={"Image": IMAGE, "ModelDataUrl": data, **container},
        ExecutionRoleArn=ROLE,
    )
    return name


@pytest.fixture
def create_job(sagemaker_client, bucket):
    def create_job(
        model, uri, data_type="S3Prefix", instances=1, content_type="image/png", split=None, **changes
    ):
        name = unique("boto3-job")
        request = {
            "TransformJobName": name,
            "ModelName": model,
            "TransformInput": {
                "DataSource": {"S3DataSource": {"S3DataType": data_type, "S3Uri": uri}},
                "ContentType": content_type,
                **({"SplitType": split} if split else {}),
            },
            "TransformOutput": {
                "S3OutputPath": f"s3://{bucket}/out/{name}",
                "Accept": content_type if split else "application/json",
                **({"AssembleWith": split} if split else {}),
            },
            "TransformResources": {"InstanceType": "ml.m5.xlarge", "InstanceCount": instances},
            "ModelClientConfig": {"InvocationsTimeoutInSeconds": 60, "InvocationsMaxRetries": 0},
            **changes,
        }
        sagemaker_client.create_transform_job(**request)
        return name

    return create_job


@pytest.fixture
def finish(sagemaker_client):
    def finish(name):
        waiter = sagemaker_client.get_waiter("transform_job_completed_or_stopped")
        try:
            waiter.wait(TransformJobName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 120})
        except WaiterError:
            pass  # A job that failed: what it says is what the test is about.
        return sagemaker_client.describe_transform_job(TransformJobName=name)

    return finish


def lines_of(group, stream):
    events = boto3.client("logs").get_log_events(logGroupName=group, logStreamName=stream, startFromHead=True)
    return [event["message"] for event in events["events"]]


def streams_of(job):
    pages = boto3.client("logs").get_paginator("describe_log_streams").paginate(
        logGroupName="/aws/sagemaker/TransformJobs", logStreamNamePrefix=f"{job}/"
    )
    return [stream["logStreamName"] for page in pages for stream in page["logStreams"]]


def test_a_prefix_is_transformed(fashion, upload, create_job, finish, outputs):
    files = images(6)
    job = finish(create_job(fashion, upload(files), MaxConcurrentTransforms=4, MaxPayloadInMB=1))
    assert job["TransformJobStatus"] == "Completed"
    assert job["TransformEndTime"] >= job["TransformStartTime"] >= job["CreationTime"]
    assert job["DataProcessing"] == {"InputFilter": "$", "OutputFilter": "$", "JoinSource": "None"}
    assert job["TransformInput"]["SplitType"] == "None"
    assert "BatchStrategy" not in job
    answers = outputs(job["TransformOutput"]["S3OutputPath"])
    assert set(answers) == {f"{name}.out" for name in files}
    for name, answer in answers.items():
        predicted = CLASSES[json.loads(answer)["predictions"][0]["classes"]]
        assert predicted == name.removesuffix(".png.out").partition("_")[2]


def test_a_manifest_names_what_is_transformed(s3, bucket, fashion, upload, create_job, finish, outputs):
    files = images(4)
    prefix = upload({**files, "deep/below.png": files["0000_ankle-boot.png"]})
    manifest = [{"prefix": prefix}, "0001_pullover.png", "deep/below.png"]
    s3.put_object(Bucket=bucket, Key="manifests/two.json", Body=json.dumps(manifest))
    job = finish(create_job(fashion, f"s3://{bucket}/manifests/two.json", data_type="ManifestFile"))
    assert job["TransformJobStatus"] == "Completed"
    assert set(outputs(job["TransformOutput"]["S3OutputPath"])) == {"0001_pullover.png.out", "deep/below.png.out"}


def test_two_instances_share_the_objects(fashion, upload, create_job, finish, outputs):
    files = images(8)
    job = finish(create_job(fashion, upload(files), instances=2))
    assert job["TransformJobStatus"] == "Completed"
    assert len(outputs(job["TransformOutput"]["S3OutputPath"])) == len(files)
    containers = [name for name in streams_of(job["TransformJobName"]) if not name.endswith("/data-log")]
    assert len(containers) == 2


def test_records_are_joined_with_their_results(numbers, upload, create_job, finish, outputs):
    records = [{"id": n, "features": row} for n, row in enumerate(NUMBERS)]
    body = "".join(json.dumps(record) + "\n" for record in records)
    job = finish(
        create_job(
            numbers,
            upload({"records.jsonl": body}),
            content_type="application/jsonlines",
            split="Line",
            BatchStrategy="SingleRecord",
            DataProcessing={
                "InputFilter": "$.features",
                "JoinSource": "Input",
                "OutputFilter": "$['id','SageMakerOutput']",
            },
        )
    )
    assert job["TransformJobStatus"] == "Completed", job.get("FailureReason")
    joined = [json.loads(line) for line in outputs(job["TransformOutput"]["S3OutputPath"])["records.jsonl.out"].splitlines()]
    assert [record["id"] for record in joined] == [0, 1]
    for record, answer in zip(joined, ANSWERS):
        assert set(record) == {"id", "SageMakerOutput"}
        assert record["SageMakerOutput"]["predictions"] == [pytest.approx(answer, rel=1e-5)]


def test_good_files_keep_their_outputs_when_one_is_bad(fashion, upload, create_job, finish, outputs):
    files = {**images(3), "bad.png": b"this is no image"}
    job = finish(create_job(fashion, upload(files)))
    assert job["TransformJobStatus"] == "Failed"
    assert job["FailureReason"] == "AlgorithmError: See job logs for more information"
    assert set(outputs(job["TransformOutput"]["S3OutputPath"])) == {f"{name}.out" for name in images(3)}
    [data_log] = [name for name in streams_of(job["TransformJobName"]) if name.endswith("/data-log")]
    said = "\n".join(lines_of("/aws/sagemaker/TransformJobs", data_log))
    assert "bad.png: Bad HTTP status received from algorithm: 500" in said
    assert "Message:" in said


def test_an_answer_of_four_hundred_is_the_clients_error(numbers, upload, create_job, finish):
    job = finish(create_job(numbers, upload({"a.json": b'{"instances": [["text"]]}'}), content_type="application/json"))
    assert job["TransformJobStatus"] == "Failed"
    assert job["FailureReason"] == "ClientError: See job logs for more information"


def test_a_job_is_stopped(sagemaker_client, fashion, upload, create_job, finish, outputs):
    name = create_job(fashion, upload(images(20)))
    assert sagemaker_client.stop_transform_job(TransformJobName=name)["ResponseMetadata"]["HTTPStatusCode"] == 200
    job = finish(name)
    assert job["TransformJobStatus"] == "Stopped"
    assert outputs(job["TransformOutput"]["S3OutputPath"]) == {}
    with pytest.raises(ClientError, match="rejected because the transform job is in status Stopped"):
        sagemaker_client.stop_transform_job(TransformJobName=name)


def refusal(action, *args, **kwargs):
    with pytest.raises(ClientError) as caught:
        action(*args, **kwargs)
    return caught.value.response["Error"]


def test_what_cannot_work_is_refused_at_once(sagemaker_client, numbers, upload, bucket, create_job):
    uri = upload({"a.json": b"[1]"})
    missing = refusal(create_job, "nobody", uri)
    assert missing["Code"] == "ValidationException"
    assert missing["Message"] == 'Could not find model "arn:aws:sagemaker:us-east-1:000000000000:model/nobody".'
    empty = refusal(create_job, numbers, f"s3://{bucket}/nothing/here/")
    assert empty["Code"] == "ValidationException"
    assert empty["Message"].startswith(f'No S3 objects found under S3 URL "s3://{bucket}/nothing/here/" given in input')
    taken = create_job(numbers, uri)
    assert refusal(create_job, numbers, uri, TransformJobName=taken)["Code"] == "ResourceInUse"
    product = refusal(create_job, numbers, uri, MaxConcurrentTransforms=50, MaxPayloadInMB=6)
    assert product["Code"] == "ValidationException"
    name = refusal(create_job, numbers, uri, TransformJobName="under_score")
    assert name["Message"].startswith(
        "1 validation error detected: Value 'under_score' at 'transformJobName' failed to satisfy constraint: "
    )
    unknown = refusal(sagemaker_client.stop_transform_job, TransformJobName="nobody")
    assert unknown["Message"].startswith("Could not find job to update with name")


def test_lists_are_paged_filtered_and_sorted(sagemaker_client, numbers_data):
    names = [create_model(sagemaker_client, f"listed-{n}", numbers_data) for n in range(5)]
    pages = sagemaker_client.get_paginator("list_models").paginate(
        NameContains="listed-", SortBy="Name", SortOrder="Ascending", PaginationConfig={"PageSize": 2}
    )
    found = [[model["ModelName"] for model in page["Models"]] for page in pages]
    assert found == [names[:2], names[2:4], names[4:]]
    for name in names:
        sagemaker_client.delete_model(ModelName=name)
    assert sagemaker_client.list_models(NameContains="listed-")["Models"] == []
    assert "Could not find model" in refusal(sagemaker_client.describe_model, ModelName="listed-0")["Message"]


def test_tags_are_added_and_read(sagemaker_client, numbers):
    arn = sagemaker_client.describe_model(ModelName=numbers)["ModelArn"]
    sagemaker_client.add_tags(ResourceArn=arn, Tags=[{"Key": "team", "Value": "vision"}])
    sagemaker_client.add_tags(ResourceArn=arn, Tags=[{"Key": "team", "Value": "language"}])
    assert sagemaker_client.list_tags(ResourceArn=arn)["Tags"] == [{"Key": "team", "Value": "language"}]
    sagemaker_client.delete_tags(ResourceArn=arn, TagKeys=["team"])
    assert sagemaker_client.list_tags(ResourceArn=arn)["Tags"] == []


def test_changes_of_state_reach_a_queue(numbers, upload, create_job, finish):
    events, sqs = boto3.client("events"), boto3.client("sqs")
    url = sqs.create_queue(QueueName="job-states")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    name = unique("watched")
    pattern = {"detail-type": ["SageMaker Transform Job State Change"], "detail": {"TransformJobName": [name]}}
    rule = events.put_rule(Name="job-states", EventPattern=json.dumps(pattern))["RuleArn"]
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": "events.amazonaws.com"},
        "Action": "sqs:SendMessage",
        "Resource": arn,
        "Condition": {"ArnEquals": {"aws:SourceArn": rule}},
    }
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": policy})
    events.put_targets(Rule="job-states", Targets=[{"Id": "queue", "Arn": arn}])
    create_job(numbers, upload({"a.json": b"[[1,2,3,4,5,6]]"}), content_type="application/json", TransformJobName=name)
    finish(name)
    states = []
    while not states or states[-1] not in ("Completed", "Failed"):
        received = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=20, MaxNumberOfMessages=1).get("Messages", [])
        assert received, f"no more messages after {states}"
        for message in received:
            states.append(json.loads(message["Body"])["detail"]["TransformJobStatus"])
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    assert set(states) == {"InProgress", "Completed"}
