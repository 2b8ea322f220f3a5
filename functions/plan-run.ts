import { planRun, PlanRunInput, PlanRunOutput } from '../src/app/plan/plan-run.ts';
import { bucket } from './runtime/bucket.ts';
import { readEnv, toBucketNames, toList } from './runtime/env.ts';
import { now } from './runtime/now.ts';
import { step } from './runtime/step.ts';

/** State `PlanRun` of statemachines/batch-inference.asl.yml. */
export const handler = step({
  input: PlanRunInput,
  output: PlanRunOutput,
  services: () => ({ store: bucket(), clock: now, settings: readSettings() }),
  run: planRun,
});

function readSettings() {
  const env = readEnv(
    'AWS_REGION',
    'READ_BUCKET_ARNS',
    'MODEL_ROLE_ARN',
    'VPC_SUBNET_IDS',
    'VPC_SECURITY_GROUP_IDS',
    'KMS_KEY_ARN',
  );
  const subnets = toList(env.VPC_SUBNET_IDS);
  return {
    region: env.AWS_REGION,
    readBuckets: toBucketNames(env.READ_BUCKET_ARNS),
    modelRoleArn: env.MODEL_ROLE_ARN,
    vpc: subnets.length > 0 ? { subnets, securityGroups: toList(env.VPC_SECURITY_GROUP_IDS) } : null,
    kmsKeyArn: env.KMS_KEY_ARN === '' ? null : env.KMS_KEY_ARN,
  };
}
