"""CloudFormation as boto3 and the AWS command line see it."""

import json
import subprocess

import boto3
import pytest
from botocore.exceptions import ClientError, WaiterError
from conftest import unique

QUICKLY = {"Delay": 1, "MaxAttempts": 30}
TEMPLATE = {
    "AWSTemplateFormatVersion": "2010-09-09",
    "Parameters": {"Seconds": {"Type": "Number", "Default": 30, "MinValue": 1}},
    "Resources": {
        "Queue": {"Type": "AWS::SQS::Queue", "Properties": {"VisibilityTimeout": {"Ref": "Seconds"}}},
        "Topic": {"Type": "AWS::SNS::Topic", "DependsOn": "Queue"},
    },
    "Outputs": {"Url": {"Value": {"Ref": "Queue"}, "Description": "where to send"}},
}
EXPORTED = {"Url": {**TEMPLATE["Outputs"]["Url"], "Export": {"Name": {"Fn::Sub": "${AWS::StackName}-url"}}}}


@pytest.fixture(scope="module")
def cloudformation():
    return boto3.client("cloudformation")


def aws(*words):
    return subprocess.run(["aws", "cloudformation", *words], capture_output=True, text=True)


def deploy(*words):
    """`aws cloudformation deploy`, which names its change set after the second: two within one are refused, as in AWS."""
    while "AlreadyExistsException" in (done := aws("deploy", "--no-fail-on-empty-changeset", *words)).stderr:
        pass
    return done


def execute(cloudformation, stack, kind, template, **rest):
    """Through a change set, as the command line deploys; its description."""
    name = unique("changes")
    cloudformation.create_change_set(
        StackName=stack, ChangeSetName=name, ChangeSetType=kind, TemplateBody=json.dumps(template), **rest
    )
    place = {"StackName": stack, "ChangeSetName": name}
    cloudformation.get_waiter("change_set_create_complete").wait(**place, WaiterConfig=QUICKLY)
    described = cloudformation.describe_change_set(**place)
    cloudformation.execute_change_set(**place)
    waiter = "stack_create_complete" if kind == "CREATE" else "stack_update_complete"
    cloudformation.get_waiter(waiter).wait(StackName=stack, WaiterConfig=QUICKLY)
    return described


def test_a_stack_from_change_set_to_deletion(cloudformation):
    name = unique("boto-stack")
    made = execute(cloudformation, name, "CREATE", TEMPLATE, Tags=[{"Key": "STAGE", "Value": "dev"}])
    assert made["ExecutionStatus"] == "AVAILABLE"
    assert [change["ResourceChange"]["Action"] for change in made["Changes"]] == ["Add", "Add"]
    (stack,) = cloudformation.describe_stacks(StackName=name)["Stacks"]
    assert stack["StackStatus"] == "CREATE_COMPLETE"
    assert stack["Parameters"] == [{"ParameterKey": "Seconds", "ParameterValue": "30"}]
    assert stack["Tags"] == [{"Key": "STAGE", "Value": "dev"}]
    assert stack["Outputs"][0]["Description"] == "where to send"
    assert stack["DriftInformation"] == {"StackDriftStatus": "NOT_CHECKED"}

    longer = [{"ParameterKey": "Seconds", "ParameterValue": "60"}]
    changed = execute(cloudformation, name, "UPDATE", TEMPLATE, Parameters=longer)
    (change,) = changed["Changes"]
    assert change["ResourceChange"]["LogicalResourceId"] == "Queue"
    assert change["ResourceChange"]["Replacement"] == "False"
    url = stack["Outputs"][0]["OutputValue"]
    attributes = boto3.client("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=["VisibilityTimeout"])
    assert attributes["Attributes"]["VisibilityTimeout"] == "60"

    resources = cloudformation.describe_stack_resources(StackName=name)["StackResources"]
    assert {one["LogicalResourceId"]: one["ResourceStatus"] for one in resources} == {
        "Queue": "UPDATE_COMPLETE",
        "Topic": "CREATE_COMPLETE",
    }
    assert resources[0]["PhysicalResourceId"] == url
    pages = cloudformation.get_paginator("describe_stack_events").paginate(StackName=name)
    events = [event for page in pages for event in page["StackEvents"]]
    assert events == sorted(events, key=lambda event: event["Timestamp"], reverse=True)
    assert (events[0]["LogicalResourceId"], events[0]["ResourceStatus"]) == (name, "UPDATE_COMPLETE")
    assert len({event["EventId"] for event in events}) == len(events)

    cloudformation.delete_stack(StackName=name)
    cloudformation.get_waiter("stack_delete_complete").wait(StackName=name, WaiterConfig=QUICKLY)
    (gone,) = cloudformation.describe_stacks(StackName=stack["StackId"])["Stacks"]
    assert gone["StackStatus"] == "DELETE_COMPLETE"


def test_refusals_have_their_codes(cloudformation):
    def code(**change_set):
        with pytest.raises(ClientError) as refused:
            cloudformation.create_change_set(StackName=unique("refused"), ChangeSetName="changes", **change_set)
        return refused.value.response["Error"]

    body = json.dumps(TEMPLATE)
    stranger = [{"ParameterKey": "Stage", "ParameterValue": "dev"}]
    assert code(ChangeSetType="CREATE", TemplateBody=body, Parameters=stranger) == {
        "Type": "Sender",
        "Code": "ValidationError",
        "Message": "Parameters: [Stage] do not exist in the template",
    }
    assert code(ChangeSetType="UPDATE", TemplateBody=body)["Message"].endswith("does not exist")


def test_a_stack_that_cannot_be_made_is_rolled_back(cloudformation):
    name = unique("boto-fails")
    template = {"Resources": {"Queue": {"Type": "AWS::SQS::Queue", "Properties": {"VisibilityTimout": 3}}}}
    with pytest.raises(WaiterError):
        execute(cloudformation, name, "CREATE", template)
    (stack,) = cloudformation.describe_stacks(StackName=name)["Stacks"]
    assert stack["StackStatus"] == "ROLLBACK_COMPLETE"
    events = cloudformation.describe_stack_events(StackName=name)["StackEvents"]
    (reason,) = [event["ResourceStatusReason"] for event in events if event["ResourceStatus"] == "CREATE_FAILED"]
    assert reason.endswith("#: extraneous key [VisibilityTimout] is not permitted")


def test_the_command_line_deploys(tmp_path):
    file = tmp_path / "template.json"
    template = {**TEMPLATE, "Outputs": EXPORTED}
    file.write_text(json.dumps(template))
    name = unique("cli-stack")
    place = ["--stack-name", name, "--template-file", str(file)]
    deployed = deploy(*place)
    assert deployed.returncode == 0, deployed.stderr
    again = deploy(*place)
    assert again.returncode == 0, again.stderr
    assert f"No changes to deploy. Stack {name} is up to date" in again.stdout
    summaries = json.loads(aws("list-change-sets", "--stack-name", name).stdout)["Summaries"]
    (empty,) = [one["ChangeSetId"] for one in summaries if one["Status"] == "FAILED"]
    described = json.loads(aws("describe-change-set", "--change-set-name", empty).stdout)
    assert described["StatusReason"].startswith("The submitted information didn't contain changes.")
    changed = deploy(*place, "--parameter-overrides", "Seconds=45")
    assert changed.returncode == 0, changed.stderr
    assert "No changes to deploy" in deploy(*place).stdout, "a parameter that is not given keeps its value"
    (stack,) = json.loads(aws("describe-stacks", "--stack-name", name).stdout)["Stacks"]
    assert (stack["StackStatus"], stack["Parameters"][0]["ParameterValue"]) == ("UPDATE_COMPLETE", "45")
    events = json.loads(aws("describe-stack-events", "--stack-name", name).stdout)["StackEvents"]
    assert events[0]["ResourceStatus"] == "UPDATE_COMPLETE"
    assert json.loads(aws("get-template", "--stack-name", name).stdout)["TemplateBody"] == template
    summary = json.loads(aws("get-template-summary", "--stack-name", name).stdout)
    assert summary["ResourceTypes"] == ["AWS::SQS::Queue", "AWS::SNS::Topic"]
    exported = [one for one in json.loads(aws("list-exports").stdout)["Exports"] if one["Name"] == f"{name}-url"]
    assert [one["ExportingStackId"] for one in exported] == [stack["StackId"]]
    validated = json.loads(aws("validate-template", "--template-body", f"file://{file}").stdout)
    assert validated["Parameters"][0]["DefaultValue"] == "30"
    assert aws("delete-stack", "--stack-name", name).returncode == 0


def test_a_stack_without_parameters_is_deployed_again(tmp_path):
    file = tmp_path / "template.json"
    file.write_text(json.dumps({"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}))
    place = ["--stack-name", unique("plain-stack"), "--template-file", str(file)]
    assert deploy(*place).returncode == 0
    assert "No changes to deploy" in deploy(*place).stdout
