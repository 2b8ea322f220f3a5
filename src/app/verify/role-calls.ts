import { recordEndpointCalls } from './endpoint-role-calls.ts';
import { recordForbiddenCalls } from './forbidden-role-calls.ts';
import {
  recordContainerCalls,
  recordRoleCalls,
  type RoleCall,
  type RoleCallFacts,
} from './role-call-record.ts';
import { recordRunCalls } from './run-role-calls.ts';
import { recordTrainingCalls } from './training-role-calls.ts';

/**
 * Calls of each role's use cases, in the terms of the service authorization reference, with the permissions that AWS checks
 * besides: tags given at creation, roles passed on, the validation of Application Auto Scaling, grants for the volumes of
 * endpoints, and calls that IAM must refuse. Written from the calls in src/aws, not from the policies that it is used to judge.
 */
export function roleCalls(facts: RoleCallFacts): readonly RoleCall[] {
  const record = recordRoleCalls(facts);
  const { add, calls, kmsKeyArn } = record;
  recordRunCalls(record);
  recordTrainingCalls(record);
  recordEndpointCalls(record);
  recordContainerCalls(record, 'ModelRole', 'tensorflow-inference', '/aws/sagemaker/TransformJobs');
  recordContainerCalls(record, 'TrainingRole', 'pytorch-training', '/aws/sagemaker/TrainingJobs');
  recordForbiddenCalls(record);
  if (kmsKeyArn !== undefined) {
    for (const role of [
      'ModelRole',
      'TrainingRole',
      'StartTransformRole',
      'FoldPredictionsRole',
      'PredictRole',
    ])
      add(role, ['kms:Decrypt', 'kms:GenerateDataKey'], kmsKeyArn);
    for (const role of ['ModelRole', 'TrainingRole']) add(role, ['kms:CreateGrant'], kmsKeyArn);
    // "CreateEndpoint: kms:CreateGrant (required only if the associated EndPointConfig has a KmsKeyId)".
    for (const role of ['DeployEndpointRole', 'RollBackEndpointRole'])
      add(role, ['kms:CreateGrant'], kmsKeyArn, { 'kms:GrantIsForAWSResource': true });
  }
  return calls;
}
