"""An endpoint that scales to zero, through boto3: its inference component, its scaling, and what is refused."""

import json
import time

import boto3
import pytest
from botocore.exceptions import ClientError
from conftest import ANSWERS, IMAGE, NUMBERS, ROLE

NAME = "idle-numbers"
VARIANT = "AllTraffic"
TARGET = {
    "ServiceNamespace": "sagemaker",
    "ResourceId": f"inference-component/{NAME}",
    "ScalableDimension": "sagemaker:inference-component:DesiredCopyCount",
}
NO_CAPACITY = "Inference Component has no capacity to process this request"


def until(look):
    """What a look gives as soon as it gives something."""
    for _ in range(600):
        if seen := look():
            return seen
        time.sleep(0.2)
    raise TimeoutError


@pytest.fixture(scope="module")
def autoscaling():
    return boto3.client("application-autoscaling")


@pytest.fixture(scope="module")
def host(sagemaker_client, numbers_data):
    """An endpoint without a model, and the model of the component."""
    sagemaker_client.create_model(
        ModelName=NAME, PrimaryContainer={"Image": IMAGE, "ModelDataUrl": numbers_data}, ExecutionRoleArn=ROLE
    )
    variant = {
        "VariantName": VARIANT,
        "InstanceType": "ml.m5.large",
        "InitialInstanceCount": 1,
        "ManagedInstanceScaling": {"Status": "ENABLED", "MinInstanceCount": 0, "MaxInstanceCount": 2},
    }
    sagemaker_client.create_endpoint_config(
        EndpointConfigName=NAME, ExecutionRoleArn=ROLE, ProductionVariants=[variant]
    )
    sagemaker_client.create_endpoint(EndpointName=NAME, EndpointConfigName=NAME)
    sagemaker_client.get_waiter("endpoint_in_service").wait(
        EndpointName=NAME, WaiterConfig={"Delay": 1, "MaxAttempts": 120}
    )
    yield NAME
    sagemaker_client.delete_endpoint(EndpointName=NAME)
    sagemaker_client.delete_endpoint_config(EndpointConfigName=NAME)
    sagemaker_client.delete_model(ModelName=NAME)


def create(client, host, copies=1):
    return client.create_inference_component(
        InferenceComponentName=NAME,
        EndpointName=host,
        VariantName=VARIANT,
        Specification={
            "ModelName": NAME,
            "ComputeResourceRequirements": {"NumberOfCpuCoresRequired": 1, "MinMemoryRequiredInMb": 1024},
        },
        RuntimeConfig={"CopyCount": copies},
    )


def ask(host, **target):
    runtime = boto3.client("sagemaker-runtime")
    answer = runtime.invoke_endpoint(
        EndpointName=host, ContentType="application/json", Body=json.dumps({"instances": NUMBERS}), **target
    )
    return json.loads(answer["Body"].read())["predictions"]


def in_service(client):
    described = client.describe_inference_component(InferenceComponentName=NAME)
    assert described["InferenceComponentStatus"] != "Failed", described.get("FailureReason")
    return described if described["InferenceComponentStatus"] == "InService" else None


def set_copies(client, copies):
    client.update_inference_component_runtime_config(
        InferenceComponentName=NAME, DesiredRuntimeConfig={"CopyCount": copies}
    )
    described = until(lambda: in_service(client))
    assert described["RuntimeConfig"] == {"DesiredCopyCount": copies, "CurrentCopyCount": copies}


def test_a_component_begins_with_a_copy(sagemaker_client, host):
    with pytest.raises(ClientError, match="copy count an integer larger than 0"):
        create(sagemaker_client, host, copies=0)


def test_a_component_that_is_missing_is_not_scaled(autoscaling, host):
    with pytest.raises(ClientError, match="Could not find inference component"):
        autoscaling.register_scalable_target(**TARGET, MinCapacity=0, MaxCapacity=1)


def test_a_component_sleeps_is_woken_by_its_alarm_and_deleted(sagemaker_client, autoscaling, host):
    arn = create(sagemaker_client, host)["InferenceComponentArn"]
    assert arn.endswith(f":inference-component/{NAME}")
    assert until(lambda: in_service(sagemaker_client))["RuntimeConfig"]["CurrentCopyCount"] == 1
    rows = [pytest.approx(row, rel=1e-5) for row in ANSWERS]
    assert ask(host, InferenceComponentName=NAME) == rows
    with pytest.raises(ClientError, match="Inference Component Name header is required"):
        ask(host)

    set_copies(sagemaker_client, 0)
    with pytest.raises(ClientError, match=NO_CAPACITY) as caught:
        ask(host, InferenceComponentName=NAME)
    assert caught.value.response["Error"]["Code"] == "ValidationError"

    autoscaling.register_scalable_target(**TARGET, MinCapacity=0, MaxCapacity=1)
    policy = autoscaling.put_scaling_policy(
        **TARGET,
        PolicyName="wake",
        PolicyType="StepScaling",
        StepScalingPolicyConfiguration={
            "AdjustmentType": "ChangeInCapacity",
            "Cooldown": 60,
            "StepAdjustments": [{"MetricIntervalLowerBound": 0, "ScalingAdjustment": 1}],
        },
    )
    [target] = autoscaling.describe_scalable_targets(ServiceNamespace="sagemaker", ResourceIds=[TARGET["ResourceId"]])[
        "ScalableTargets"
    ]
    assert (target["MinCapacity"], target["MaxCapacity"]) == (0, 1)
    cloudwatch = boto3.client("cloudwatch")
    cloudwatch.put_metric_alarm(
        AlarmName=NAME,
        AlarmActions=[policy["PolicyARN"]],
        Namespace="AWS/SageMaker",
        MetricName="NoCapacityInvocationFailures",
        Dimensions=[{"Name": "InferenceComponentName", "Value": NAME}],
        Statistic="Sum",
        Period=60,
        EvaluationPeriods=1,
        Threshold=1,
        ComparisonOperator="GreaterThanOrEqualToThreshold",
        TreatMissingData="notBreaching",
    )

    def woken():
        try:
            return ask(host, InferenceComponentName=NAME)
        except ClientError as error:
            assert NO_CAPACITY in str(error)
            return None

    assert until(woken) == rows

    with pytest.raises(ClientError, match=NAME):
        sagemaker_client.delete_endpoint(EndpointName=host)
    autoscaling.deregister_scalable_target(**TARGET)
    cloudwatch.delete_alarms(AlarmNames=[NAME])
    until(lambda: in_service(sagemaker_client))
    sagemaker_client.delete_inference_component(InferenceComponentName=NAME)
    listed = lambda: sagemaker_client.list_inference_components(EndpointNameEquals=host)["InferenceComponents"]
    until(lambda: listed() == [])
    with pytest.raises(ClientError, match="Could not find inference component"):
        sagemaker_client.describe_inference_component(InferenceComponentName=NAME)
