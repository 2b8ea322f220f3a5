"""Endpoints: the SDK's Predictor as the notebooks use it, and the same through boto3."""

import json

import boto3
import numpy
import pytest
import sagemaker
from botocore.exceptions import ClientError
from conftest import ANSWERS, CLASSES, IMAGE, NUMBERS, ROLE, images, unique
from sagemaker.deserializers import JSONDeserializer
from sagemaker.predictor import Predictor
from sagemaker.serializers import CSVSerializer, IdentitySerializer, JSONLinesSerializer, JSONSerializer
from sagemaker.tensorflow import TensorFlowModel, TensorFlowPredictor


@pytest.fixture(scope="module")
def session(bucket):
    return sagemaker.Session(default_bucket=bucket)


def deploy(session, model_data, **settings):
    model = TensorFlowModel(model_data=model_data, role=ROLE, framework_version="2.19.0", sagemaker_session=session)
    return model.deploy(initial_instance_count=1, instance_type="ml.c5.xlarge", **settings)


@pytest.fixture(scope="module")
def fashion(session, fashion_data):
    predictor = deploy(session, fashion_data, endpoint_name="sdk-fashion")
    yield predictor
    predictor.delete_model()
    predictor.delete_endpoint()


@pytest.fixture(scope="module")
def numbers(session, numbers_data):
    predictor = deploy(session, numbers_data, wait=False)
    session.wait_for_endpoint(predictor.endpoint_name, poll=1)
    yield predictor
    predictor.delete_endpoint()


def test_images_are_sent_as_they_are(session, fashion):
    """The notebook: content type `application/x-image`, the bytes of a file, the best class of the answer."""
    predictor = Predictor(
        fashion.endpoint_name,
        sagemaker_session=session,
        serializer=IdentitySerializer("application/x-image"),
        deserializer=JSONDeserializer(),
    )
    for name, body in images(5).items():
        [prediction] = predictor.predict(bytearray(body))["predictions"]
        best = numpy.argmax(prediction["probabilities"])
        assert CLASSES[best] == name.removesuffix(".png").partition("_")[2]


def test_arrays_are_sent_as_json(numbers):
    answer = numbers.predict(numpy.array(NUMBERS, dtype="float32"))
    assert answer["predictions"] == [pytest.approx(row, rel=1e-5) for row in ANSWERS]
    answer = numbers.predict({"inputs": NUMBERS, "signature_name": "serving_default"})
    assert answer["outputs"] == [pytest.approx(row, rel=1e-5) for row in ANSWERS]


@pytest.mark.parametrize(
    ("serializer", "data"),
    [
        (JSONSerializer(), {"instances": NUMBERS}),
        (JSONLinesSerializer(content_type="application/jsonlines"), NUMBERS),
        (CSVSerializer(), NUMBERS),
    ],
    ids=["json", "jsonlines", "csv"],
)
def test_every_built_in_type_gives_the_same(session, numbers, serializer, data):
    predictor = Predictor(
        numbers.endpoint_name, sagemaker_session=session, serializer=serializer, deserializer=JSONDeserializer()
    )
    assert predictor.predict(data)["predictions"] == [pytest.approx(row, rel=1e-5) for row in ANSWERS]


def test_the_model_is_named_by_custom_attributes(session, numbers):
    named = TensorFlowPredictor(numbers.endpoint_name, session, model_name="numbers", model_version="1")
    assert named.predict(NUMBERS)["predictions"] == [pytest.approx(row, rel=1e-5) for row in ANSWERS]
    missing = TensorFlowPredictor(numbers.endpoint_name, session, model_name="nobody")
    with pytest.raises(ClientError) as caught:
        missing.predict(NUMBERS)
    answer = caught.value.response
    assert answer["Error"]["Code"] == "ModelError"
    assert answer["OriginalStatusCode"] == 404
    assert "Servable not found for request: Latest(nobody)" in answer["OriginalMessage"]
    assert answer["LogStreamArn"].startswith("arn:aws:logs:us-east-1:000000000000:log-group:/aws/sagemaker/Endpoints/")


def test_what_the_model_refuses_is_told(numbers):
    with pytest.raises(ClientError, match="Failed to process element: 0"):
        numbers.predict([["text"] * 6])
    with pytest.raises(ClientError, match="415"):
        numbers.predict(NUMBERS, initial_args={"ContentType": "application/x-image"})


def test_the_batch_answer_is_the_endpoint_s_answer(session, bucket, fashion, fashion_data, upload, outputs):
    [(name, body)] = images(1).items()
    runtime = boto3.client("sagemaker-runtime")
    real_time = runtime.invoke_endpoint(
        EndpointName=fashion.endpoint_name, ContentType="application/x-image", Body=body, Accept="application/json"
    )
    assert real_time["InvokedProductionVariant"] == "AllTraffic"
    model = TensorFlowModel(fashion_data, role=ROLE, framework_version="2.19.0", sagemaker_session=session)
    output_path = f"s3://{bucket}/{unique('same')}"
    transformer = model.transformer(1, "ml.c5.xlarge", accept="application/json", output_path=output_path)
    transformer.transform(upload({name: body}), content_type="application/x-image", wait=False)
    session.wait_for_transform_job(transformer.latest_transform_job.name, poll=1)
    assert outputs(output_path) == {f"{name}.out": real_time["Body"].read()}


def test_an_endpoint_from_configuration_to_deletion(sagemaker_client, numbers_data):
    name = "boto3-numbers-endpoint"
    sagemaker_client.create_model(
        ModelName=name, PrimaryContainer={"Image": IMAGE, "ModelDataUrl": numbers_data}, ExecutionRoleArn=ROLE
    )
    variant = {
        "VariantName": "blue",
        "ModelName": name,
        "InstanceType": "ml.c5.large",
        "InitialInstanceCount": 1,
        "InitialVariantWeight": 1,
    }
    for config, count in ((name, 1), (f"{name}-2", 2)):
        sagemaker_client.create_endpoint_config(
            EndpointConfigName=config, ProductionVariants=[{**variant, "InitialInstanceCount": count}]
        )
    sagemaker_client.create_endpoint(EndpointName=name, EndpointConfigName=name)
    patience = {"Delay": 1, "MaxAttempts": 120}
    sagemaker_client.get_waiter("endpoint_in_service").wait(EndpointName=name, WaiterConfig=patience)
    runtime = boto3.client("sagemaker-runtime")
    ask = lambda: json.loads(
        runtime.invoke_endpoint(EndpointName=name, ContentType="text/csv", Body="1,2,3,4,5,6")["Body"].read()
    )
    before = ask()
    sagemaker_client.update_endpoint(EndpointName=name, EndpointConfigName=f"{name}-2")
    sagemaker_client.get_waiter("endpoint_in_service").wait(EndpointName=name, WaiterConfig=patience)
    [described] = sagemaker_client.describe_endpoint(EndpointName=name)["ProductionVariants"]
    assert described["CurrentInstanceCount"] == 2
    assert ask() == before
    sagemaker_client.delete_endpoint(EndpointName=name)
    sagemaker_client.get_waiter("endpoint_deleted").wait(EndpointName=name, WaiterConfig=patience)
    with pytest.raises(ClientError, match="not found"):
        ask()
    for config in (name, f"{name}-2"):
        sagemaker_client.delete_endpoint_config(EndpointConfigName=config)
    sagemaker_client.delete_model(ModelName=name)


def test_an_endpoint_without_a_model_to_load_fails_with_its_reason(sagemaker_client, bucket):
    name = "boto3-empty-endpoint"
    sagemaker_client.create_model(
        ModelName=name,
        PrimaryContainer={"Image": IMAGE, "ModelDataUrl": f"s3://{bucket}/nothing/model.tar.gz"},
        ExecutionRoleArn=ROLE,
    )
    variant = {"VariantName": "v", "ModelName": name, "InstanceType": "ml.c5.large", "InitialInstanceCount": 1}
    sagemaker_client.create_endpoint_config(EndpointConfigName=name, ProductionVariants=[variant])
    sagemaker_client.create_endpoint(EndpointName=name, EndpointConfigName=name)
    waiter = sagemaker_client.get_waiter("endpoint_in_service")
    with pytest.raises(Exception, match="Failed"):
        waiter.wait(EndpointName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 60})
    described = sagemaker_client.describe_endpoint(EndpointName=name)
    assert described["EndpointStatus"] == "Failed"
    assert f"s3://{bucket}/nothing/model.tar.gz" in described["FailureReason"]
    sagemaker_client.delete_endpoint(EndpointName=name)
