"""Writes docs/deployer-policy.json, the policy of who deploys: `npm run test:template -- --write` after a change of the template.

CloudFormation acts with the rights of its caller. What it calls for a resource is in the schema that AWS publishes of its type
(`handlers` and `tagging`), which cfn-lint carries; what serverless calls by itself stands below. With `--check` nothing is written,
and a policy that differs from the one in docs ends with status 1.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

from cfnlint.schema import PROVIDER_SCHEMA_MANAGER

ROOT = Path(__file__).resolve().parent.parent
PACKAGED = ROOT / "build" / "package" / "dev" / "serverless"
TEMPLATES = ["cloudformation-template-create-stack.json", "cloudformation-template-update-stack.json"]
POLICY = ROOT / "docs" / "deployer-policy.json"
REGION = "us-east-1"
LARGEST_MANAGED_POLICY = 6144

# Calls of osls 4.3.1 for deploy, info and remove (lib/plugins/aws).
BY_SERVERLESS = [
    "cloudformation:CreateChangeSet",
    "cloudformation:DeleteChangeSet",
    "cloudformation:DeleteStack",
    "cloudformation:DescribeChangeSet",
    "cloudformation:DescribeStackEvents",
    "cloudformation:DescribeStackResource",
    "cloudformation:DescribeStacks",
    "cloudformation:ExecuteChangeSet",
    "cloudformation:GetTemplate",
    "cloudformation:ListStackResources",
    # CreateChangeSet asks for it where a stack has tags, as serverless gives it one.
    "cloudformation:TagResource",
    "cloudformation:ValidateTemplate",
    "lambda:GetFunction",
    "s3:DeleteObject",
    "s3:DeleteObjectVersion",
    # Lambda's handler reads the bundles with the caller's rights as well.
    "s3:GetObject",
    "s3:ListBucket",
    "s3:ListBucketVersions",
    "s3:PutObject",
]

# Not in the schemas: HTTP APIs set up the delivery of their access log with the rights of who makes the stage.
# https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging.html
FOR_ACCESS_LOGS = [
    "logs:CreateLogDelivery",
    "logs:DeleteLogDelivery",
    "logs:DescribeLogGroups",
    "logs:DescribeResourcePolicies",
    "logs:GetLogDelivery",
    "logs:ListLogDeliveries",
    "logs:PutResourcePolicy",
    "logs:UpdateLogDelivery",
]

# What handlers list for properties that they may have. It is left out while no resource of the type has the property.
ONLY_WITH = {
    "AWS::ApiGatewayV2::Api": {"BodyS3Location": ["s3:getObject"], "Body": ["apigateway:PUT"]},
    "AWS::ApiGatewayV2::Authorizer": {"AuthorizerCredentialsArn": ["iam:PassRole"]},
    "AWS::ApiGatewayV2::Integration": {"CredentialsArn": ["iam:PassRole"]},
    "AWS::Events::Rule": {"Targets.RoleArn": ["iam:PassRole"]},
    "AWS::IAM::Policy": {
        "Users": ["iam:GetUserPolicy", "iam:PutUserPolicy", "iam:DeleteUserPolicy"],
        "Groups": ["iam:GetGroupPolicy", "iam:PutGroupPolicy", "iam:DeleteGroupPolicy"],
    },
    "AWS::IAM::Role": {
        "ManagedPolicyArns": ["iam:AttachRolePolicy", "iam:DetachRolePolicy"],
        "PermissionsBoundary": ["iam:PutRolePermissionsBoundary", "iam:DeleteRolePermissionsBoundary"],
    },
    "AWS::KMS::Key": {"Enabled": ["kms:DisableKey", "kms:EnableKey"]},
    "AWS::Lambda::EventSourceMapping": {
        "KmsKeyArn": ["kms:DescribeKey", "kms:GenerateDataKey", "kms:Decrypt"],
    },
    "AWS::Lambda::Function": {
        "CapacityProviderConfig": ["lambda:PassCapacityProvider"],
        "CodeSigningConfigArn": [
            "lambda:GetCodeSigningConfig",
            "lambda:PutFunctionCodeSigningConfig",
            "lambda:DeleteFunctionCodeSigningConfig",
        ],
        "FileSystemConfigs": ["elasticfilesystem:DescribeMountTargets", "s3files:ListMountTargets"],
        "FunctionScalingConfig": ["lambda:PutFunctionScalingConfig"],
        "KmsKeyArn": [
            "kms:CreateGrant",
            "kms:Decrypt",
            "kms:DescribeKey",
            "kms:Encrypt",
            "kms:GenerateDataKey",
        ],
        "Layers": ["lambda:GetLayerVersion"],
        "PublishToLatestPublished": ["lambda:PublishVersion"],
        "RecursiveLoop": ["lambda:PutFunctionRecursionConfig"],
        "ReservedConcurrentExecutions": [
            "lambda:PutFunctionConcurrency",
            "lambda:DeleteFunctionConcurrency",
        ],
        "RuntimeManagementConfig": ["lambda:PutRuntimeManagementConfig", "lambda:AssociateRuntimeAlias"],
        "VpcConfig": [
            "ec2:DescribeNetworkInterfaces",
            "ec2:DescribeSecurityGroups",
            "ec2:DescribeSubnets",
            "ec2:DescribeVpcs",
        ],
    },
    "AWS::Logs::LogGroup": {
        "BearerTokenAuthenticationEnabled": ["logs:PutBearerTokenAuthentication"],
        "DataProtectionPolicy": [
            "firehose:TagDeliveryStream",
            "logs:PutDataProtectionPolicy",
            "logs:DeleteDataProtectionPolicy",
            "s3:REST.PUT.OBJECT",
        ],
        "DeletionProtectionEnabled": ["logs:PutLogGroupDeletionProtection"],
        "FieldIndexPolicies": ["logs:PutIndexPolicy", "logs:DeleteIndexPolicy"],
        "KmsKeyId": ["logs:AssociateKmsKey", "logs:DisassociateKmsKey"],
        "ResourcePolicyDocument": ["logs:DeleteResourcePolicy"],
    },
    "AWS::S3::Bucket": {
        "AbacStatus": ["s3:PutBucketAbac"],
        "AccelerateConfiguration": ["s3:PutAccelerateConfiguration"],
        "AccessControl": ["s3:PutBucketAcl", "s3:PutObjectAcl", "s3:GetBucketAcl"],
        "AnalyticsConfigurations": ["s3:PutAnalyticsConfiguration", "s3:DeleteBucketAnalyticsConfiguration"],
        "CorsConfiguration": ["s3:PutBucketCORS", "s3:DeleteBucketCors"],
        "IntelligentTieringConfigurations": ["s3:PutIntelligentTieringConfiguration"],
        "InventoryConfigurations": ["s3:PutInventoryConfiguration"],
        "LoggingConfiguration": ["s3:PutBucketLogging"],
        "MetadataConfiguration": [
            "s3:CreateBucketMetadataTableConfiguration",
            "s3:DeleteBucketMetadataTableConfiguration",
            "s3:UpdateBucketMetadataAnnotationTableConfiguration",
            "s3:UpdateBucketMetadataInventoryTableConfiguration",
            "s3:UpdateBucketMetadataJournalTableConfiguration",
            "s3tables:CreateNamespace",
            "s3tables:CreateTable",
            "s3tables:CreateTableBucket",
            "s3tables:GetTable",
            "s3tables:GetTableMetadataLocation",
            "s3tables:PutTableBucketPolicy",
            "s3tables:PutTableEncryption",
            "s3tables:PutTablePolicy",
            "s3tables:UpdateTableMetadataLocation",
        ],
        "MetricsConfigurations": ["s3:PutMetricsConfiguration", "s3:DeleteBucketMetricsConfiguration"],
        "ObjectLockConfiguration": ["s3:PutBucketObjectLockConfiguration", "s3:PutObjectLockConfiguration"],
        "ReplicationConfiguration": [
            "iam:PassRole",
            "s3:DeleteBucketReplication",
            "s3:PutBucketReplication",
            "s3:PutReplicationConfiguration",
        ],
        "WebsiteConfiguration": ["s3:PutBucketWebsite", "s3:DeleteBucketWebsite"],
    },
    "AWS::SNS::Subscription": {"SubscriptionRoleArn": ["iam:GetRole", "iam:PassRole"]},
    "AWS::SNS::Topic": {
        "DataProtectionPolicy": ["sns:PutDataProtectionPolicy"],
        "DeliveryStatusLogging": ["iam:GetRole", "iam:PassRole"],
    },
    "AWS::StepFunctions::StateMachine": {
        "DefinitionS3Location": ["s3:GetObject", "s3:GetObjectVersion"],
        "EncryptionConfiguration": ["kms:DescribeKey", "kms:GenerateDataKey", "kms:Decrypt"],
    },
}

# Everything of a stack is named inferdrop-<stage>-…, by the template or by CloudFormation.
RESOURCES = {
    "apigateway": ["arn:aws:apigateway:*::/apis", "arn:aws:apigateway:*::/apis/*", "arn:aws:apigateway:*::/tags/*"],
    "cloudformation": ["arn:aws:cloudformation:*:*:stack/inferdrop-*"],
    "cloudwatch": ["arn:aws:cloudwatch:*:*:alarm:inferdrop-*"],
    "events": ["arn:aws:events:*:*:rule/inferdrop-*"],
    "iam": ["arn:aws:iam::*:role/inferdrop-*"],
    "kms": ["arn:aws:kms:*:*:key/*"],
    "lambda": ["arn:aws:lambda:*:*:function:inferdrop-*", "arn:aws:lambda:*:*:event-source-mapping:*"],
    "logs": [
        "arn:aws:logs:*:*:log-group:/aws/lambda/inferdrop-*",
        "arn:aws:logs:*:*:log-group:/aws/vendedlogs/*inferdrop-*",
    ],
    "s3": ["arn:aws:s3:::inferdrop-*"],
    "sns": ["arn:aws:sns:*:*:inferdrop-*"],
    "sqs": ["arn:aws:sqs:*:*:inferdrop-*"],
    "states": ["arn:aws:states:*:*:stateMachine:inferdrop-*"],
}

# Actions that know no resource, or only ones that a policy cannot name beforehand (service authorization reference).
ON_EVERYTHING = {
    "cloudformation:ValidateTemplate",
    "cloudwatch:DescribeAlarms",
    "kms:CreateKey",
    "lambda:CreateEventSourceMapping",
    "lambda:GetEventSourceMapping",
    "logs:DescribeIndexPolicies",
    "sns:GetSubscriptionAttributes",
    "sns:SetSubscriptionAttributes",
    "sns:Unsubscribe",
    *FOR_ACCESS_LOGS,
}


def has(value, path: list[str]) -> bool:
    """Whether a property is there; lists are looked through, and so are the branches of Fn::If."""
    if isinstance(value, list):
        return any(has(item, path) for item in value)
    if not path:
        return True
    if not isinstance(value, dict):
        return False
    if "Fn::If" in value:
        return has(value["Fn::If"][1:], path)
    return path[0] in value and has(value[path[0]], path[1:])


def needed_for(resource_type: str, resources: list[dict]) -> set[str]:
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, resource_type).schema
    # `list` is for the console.
    handlers = [body for name, body in schema["handlers"].items() if name != "list"]
    needed = {action for handler in handlers for action in handler.get("permissions", [])}
    needed |= set(schema.get("tagging", {}).get("permissions", []))
    for path, actions in ONLY_WITH.get(resource_type, {}).items():
        if not any(has(one.get("Properties", {}), path.split(".")) for one in resources):
            needed -= set(actions)
    return needed


def actions_of(templates: list[dict]) -> set[str]:
    by_type: dict[str, list[dict]] = defaultdict(list)
    for template in templates:
        for resource in template["Resources"].values():
            by_type[resource["Type"]].append(resource)
    needed = set(BY_SERVERLESS) | set(FOR_ACCESS_LOGS)
    for resource_type, resources in by_type.items():
        needed |= needed_for(resource_type, resources)
    return needed


def to_policy(actions: set[str]) -> dict:
    by_service: dict[str, list[str]] = defaultdict(list)
    everywhere = sorted(action for action in actions if action in ON_EVERYTHING)
    for action in sorted(actions - ON_EVERYTHING - {"iam:PassRole"}):
        by_service[action.split(":")[0]].append(action)
    unknown = sorted(set(by_service) - set(RESOURCES))
    if unknown:
        sys.exit(f"scripts/deployer_policy.py: no resources for {', '.join(unknown)}: name them, or the property in ONLY_WITH")
    statements = [
        {"Effect": "Allow", "Action": listed, "Resource": RESOURCES[service]}
        for service, listed in sorted(by_service.items())
    ]
    passing = {
        "Effect": "Allow",
        "Action": "iam:PassRole",
        "Resource": RESOURCES["iam"],
        "Condition": {"StringEquals": {"iam:PassedToService": ["lambda.amazonaws.com", "states.amazonaws.com"]}},
    }
    statements.append(passing)
    statements.append({"Effect": "Allow", "Action": everywhere, "Resource": "*"})
    return {"Version": "2012-10-17", "Statement": statements}


def main() -> None:
    templates = [json.loads((PACKAGED / name).read_text()) for name in TEMPLATES]
    policy = to_policy(actions_of(templates))
    size = len(json.dumps(policy, separators=(",", ":")))
    if size > LARGEST_MANAGED_POLICY:
        sys.exit(f"scripts/deployer_policy.py: the policy has {size} characters, IAM takes {LARGEST_MANAGED_POLICY}: split it")
    text = json.dumps(policy, indent=2) + "\n"
    if "--check" not in sys.argv:
        POLICY.write_text(text)
    elif not POLICY.exists() or json.loads(POLICY.read_text()) != policy:
        sys.exit("docs/deployer-policy.json is not what deploying asks for: run npm run test:template -- --write")
    print(f"deployer's policy: {sum(len([s['Action']]) if isinstance(s['Action'], str) else len(s['Action']) for s in policy['Statement'])} actions, {size} of {LARGEST_MANAGED_POLICY} characters")


main()
