import type { StackSettings } from '../../src/run/stack-settings.ts';
import { readEnv, toBucketNames, toList } from './env.ts';

/** The stack's settings for work under one of its roles. */
export function stackSettings(role: 'MODEL_ROLE_ARN' | 'TRAINING_ROLE_ARN'): StackSettings {
  const env = readEnv(
    'AWS_REGION',
    'READ_BUCKET_ARNS',
    role,
    'VPC_SUBNET_IDS',
    'VPC_SECURITY_GROUP_IDS',
    'KMS_KEY_ARN',
  );
  const subnets = toList(env.VPC_SUBNET_IDS);
  return {
    region: env.AWS_REGION,
    readBuckets: toBucketNames(env.READ_BUCKET_ARNS),
    roleArn: env[role],
    vpc: subnets.length > 0 ? { subnets, securityGroups: toList(env.VPC_SECURITY_GROUP_IDS) } : null,
    kmsKeyArn: env.KMS_KEY_ARN === '' ? null : env.KMS_KEY_ARN,
  };
}
