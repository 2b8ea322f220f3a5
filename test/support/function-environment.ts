import type { Context } from 'aws-lambda';

export const BUCKET = 'inferdrop-bucket';
export const STATE_MACHINE =
  'arn:aws:states:us-east-1:000000000000:stateMachine:inferdrop-dev-batch-inference';
const TRAINING_MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:inferdrop-dev-training';
export const FAILURE_MACHINE =
  'arn:aws:states:us-east-1:000000000000:stateMachine:inferdrop-dev-report-failure';

/** What the files functions.yml of infra give to functions; handlers read it at their first invocation. */
export function setFunctionEnvironment(): void {
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    BUCKET_NAME: BUCKET,
    METRICS_NAMESPACE: 'inferdrop/dev',
    STATE_MACHINE_ARN: STATE_MACHINE,
    TRAINING_MACHINE_ARN: TRAINING_MACHINE,
    FAILURE_MACHINE_ARN: FAILURE_MACHINE,
    TOPIC_ARN: 'arn:aws:sns:us-east-1:000000000000:inferdrop-dev',
    ENDPOINT_PREFIX: 'inferdrop-dev',
    ENDPOINT_MACHINE_ARN: 'arn:aws:states:us-east-1:000000000000:stateMachine:inferdrop-dev-endpoint',
    PIPELINES_CLAIM: '',
    BUCKET_DOMAIN: `${BUCKET}.s3.us-east-1.amazonaws.com`,
    RUNTIME_DOMAIN: 'runtime.sagemaker.us-east-1.amazonaws.com',
    LAMBDA_DOMAIN: 'lambda.us-east-1.amazonaws.com',
    SERVE_FUNCTION: 'inferdrop-dev-serve-model',
    MODEL_ROLE_ARN: 'arn:aws:iam::000000000000:role/model',
    TRAINING_ROLE_ARN: 'arn:aws:iam::000000000000:role/training',
    READ_BUCKET_ARNS: 'arn:aws:s3:::shelf',
    RESOURCE_TAGS: 'CostCenter=42',
    INCOMING_RETENTION_DAYS: '90',
    NONCURRENT_RETENTION_DAYS: '30',
    VPC_SUBNET_IDS: '',
    VPC_SECURITY_GROUP_IDS: '',
    KMS_KEY_ARN: '',
    PREDICT_MACHINE_ARN: 'arn:aws:states:us-east-1:000000000000:stateMachine:inferdrop-dev-predict-shards',
    PREDICT_FUNCTION: 'inferdrop-dev-predict-shard',
    PREDICT_CONCURRENCY: '8',
    PREDICT_MEMORY_MB: '1769',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1769',
  });
}

/** Lambda's second argument, of which no handler reads anything. */
export const CONTEXT = {} as Context;
