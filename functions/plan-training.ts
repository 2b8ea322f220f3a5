import { planTraining, PlanTrainingInput, PlanTrainingOutput } from '../src/app/training/plan-training.ts';
import { serviceQuotas } from '../src/aws/service-quotas.ts';
import { bucket } from './runtime/bucket.ts';
import { readEnv, toBucketNames, toList } from './runtime/env.ts';
import { now } from './runtime/now.ts';
import { step } from './runtime/step.ts';

/** State `PlanTraining` of statemachines/training.asl.yml. */
export const handler = step({
  input: PlanTrainingInput,
  output: PlanTrainingOutput,
  services: () => ({ store: bucket(), quotas: serviceQuotas, clock: now, settings: readSettings() }),
  run: planTraining,
});

function readSettings() {
  const env = readEnv(
    'AWS_REGION',
    'READ_BUCKET_ARNS',
    'TRAINING_ROLE_ARN',
    'VPC_SUBNET_IDS',
    'VPC_SECURITY_GROUP_IDS',
    'KMS_KEY_ARN',
  );
  const subnets = toList(env.VPC_SUBNET_IDS);
  return {
    region: env.AWS_REGION,
    readBuckets: toBucketNames(env.READ_BUCKET_ARNS),
    roleArn: env.TRAINING_ROLE_ARN,
    vpc: subnets.length > 0 ? { subnets, securityGroups: toList(env.VPC_SECURITY_GROUP_IDS) } : null,
    kmsKeyArn: env.KMS_KEY_ARN === '' ? null : env.KMS_KEY_ARN,
  };
}
