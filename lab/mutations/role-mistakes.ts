import { type Mistake, statementsOf, withoutActions, withoutResource } from './mistake.ts';

/** Resources that depend on a role are made after it; in an existing stack they are changed, so that they are checked again. */
const CHANGED = 'changed with its role';

/** In roles and in the policies that let services in: each shows up when it's deployed, or in one small drop. */
export const ROLE_MISTAKES: readonly Mistake[] = [
  {
    mistake: 'the machine may not deliver its log',
    make: (template) => {
      withoutActions('StatesPolicy', 'logs:CreateLogDelivery')(template);
      template.Resources.BatchInference.Properties.Definition.Comment = CHANGED;
    },
    says: 'The state machine IAM Role is not authorized to access the Log Destination',
  },
  {
    mistake: 'accept-drop may not read its queue',
    make: (template) => {
      withoutActions('AcceptDropRole', 'sqs:ReceiveMessage')(template);
      template.Resources.AcceptDashdropEventSourceMappingSQSUploadQueue.Properties.BatchSize -= 1;
    },
    says: 'The provided execution role does not have permissions to call ReceiveMessage on SQS',
  },
  {
    mistake: 'a function’s role trusts another service',
    make: ({ Resources }) => {
      Resources.PlanRunRole.Properties.AssumeRolePolicyDocument.Statement[0].Principal.Service =
        'states.amazonaws.com';
      Resources.PlanDashrunLambdaFunction.Properties.Description = CHANGED;
    },
    says: 'The role defined for the function cannot be assumed by Lambda.',
  },
  {
    mistake: 'accept-drop may not start executions',
    make: withoutActions('AcceptDropRole', 'states:StartExecution'),
    says: /-AcceptDropRole.* is not authorized to perform: states:StartExecution on resource: .*:inferdrop-dev-batch-inference/,
  },
  {
    mistake: 'the queue lets the rule not in',
    make: (template) => {
      const statements = statementsOf(template, 'QueuePolicy');
      statements.splice(0, 1);
    },
    says: /User: events\.amazonaws\.com is not authorized to perform: sqs:SendMessage on resource: .*:inferdrop-dev-uploads because no resource-based policy allows the sqs:SendMessage action/,
  },
  {
    mistake: 'settle-drop may not list the bucket',
    make: withoutActions('SettleDropRole', 's3:ListBucket'),
    says: /is not authorized to perform: s3:ListBucket on resource: /,
  },
  {
    mistake: 'plan-run may not read pipelines/',
    make: withoutResource('PlanRunRole', 's3:GetObject', '/pipelines/'),
    says: /is not authorized to perform: s3:GetObject on resource: .*\/pipelines\//,
  },
  {
    mistake: 'the machine may not invoke plan-run',
    make: withoutResource('StatesPolicy', 'lambda:InvokeFunction', 'PlanDashrun'),
    says: /is not authorized to perform: lambda:InvokeFunction on resource: .*:function:inferdrop-dev-plan-run/,
  },
  {
    mistake: 'prepare-model may not hand the model’s role on',
    make: withoutActions('PrepareModelRole', 'iam:PassRole'),
    says: /is not authorized to perform: iam:PassRole on resource: /,
  },
  {
    mistake: 'prepare-model may not tag',
    make: withoutActions('PrepareModelRole', 'sagemaker:AddTags'),
    says: /is not authorized to perform: sagemaker:AddTags on resource: /,
  },
  {
    mistake: 'start-transform may not start jobs',
    make: withoutActions('StartTransformRole', 'sagemaker:CreateTransformJob'),
    says: /is not authorized to perform: sagemaker:CreateTransformJob on resource: /,
  },
  {
    mistake: 'the model may not write its outputs',
    make: withoutActions('ModelRole', 's3:PutObject'),
    says: /is not authorized to perform: s3:PutObject on resource: .*\/predictions\//,
  },
  {
    mistake: 'the Map may not start its own machine',
    make: withoutActions('StatesMapPolicy', 'states:StartExecution'),
    says: /States\.Permissions.* is not authorized to perform: states:StartExecution on resource: /,
  },
  {
    mistake: 'the machine may not read the items of its maps',
    make: (template) => {
      const statements = statementsOf(template, 'StatesPolicy');
      const items = statements.findIndex(({ Sid }) => Sid === 'MapItems');
      statements.splice(items, 1);
    },
    says: /s3:GetObject on resource: .*\/shards\.json/,
  },
  {
    mistake: 'notify may not use the topic’s key',
    make: withoutActions('NotifyRole', 'kms:GenerateDataKey'),
    says: /is not authorized to perform: kms:GenerateDataKey on resource: /,
  },
];
