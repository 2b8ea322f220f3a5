import type { Mistake } from './mistake.ts';

/** In the CloudFormation template and what it is deployed with. */
export const TEMPLATE_MISTAKES: readonly Mistake[] = [
  {
    mistake: 'a property is misspelt',
    make: ({ Resources }) => (Resources.DeadLetterQueue.Properties.MessageRetentionPeroid = 60),
    says: '#: extraneous key [MessageRetentionPeroid] is not permitted',
  },
  {
    mistake: 'a required property is missing',
    make: ({ Resources }) => delete Resources.EmailSubscription.Properties.Protocol,
    says: '#: required key [Protocol] not found',
  },
  {
    mistake: 'a list stands where a number does',
    make: ({ Resources }) => (Resources.UploadQueue.Properties.VisibilityTimeout = [360]),
    says: '#/VisibilityTimeout: expected type: Integer, found: JSONArray',
  },
  {
    mistake: 'the runtime is one that Lambda has not',
    make: ({ Resources }) => (Resources.PlanDashrunLambdaFunction.Properties.Runtime = 'nodejs23.x'),
    says: /nodejs23\.x .*enum/,
  },
  {
    mistake: 'a function has more memory than Lambda gives',
    make: ({ Resources }) => (Resources.PlanDashrunLambdaFunction.Properties.MemorySize = 40_960),
    says: /^#\/MemorySize: 40960 is not less or equal to \d+$/m,
  },
  {
    mistake: 'a function may take longer than 15 minutes',
    make: ({ Resources }) => (Resources.PlanDashrunLambdaFunction.Properties.Timeout = 960),
    says: "Value '960' at 'timeout' failed to satisfy constraint: Member must have value less than or equal to 900",
  },
  {
    mistake: 'logs are kept for a time that CloudWatch has not',
    make: ({ Resources }) => (Resources.StatesLogGroup.Properties.RetentionInDays = 31),
    says: '#/RetentionInDays: 31 is not a valid enum value',
  },
  {
    mistake: 'a queue’s name has 81 characters',
    make: ({ Resources }) => (Resources.DeadLetterQueue.Properties.QueueName = 'q'.repeat(81)),
    says: 'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
  },
  {
    mistake: 'a reference names nothing',
    make: ({ Resources }) => (Resources.Topic.Properties.KmsMasterKeyId = { Ref: 'TopicKeys' }),
    says: 'Unresolved resource dependencies [TopicKeys] in the Resources block of the template',
  },
  {
    mistake: 'an attribute does not exist',
    make: ({ Resources }) =>
      (Resources.Topic.Properties.KmsMasterKeyId = { 'Fn::GetAtt': ['TopicKey', 'KeyArn'] }),
    says: 'resource TopicKey does not support attribute type KeyArn in Fn::GetAtt',
  },
  {
    mistake: 'the role of a machine that a machine depends on names the machine',
    make: ({ Resources }) =>
      (Resources.StatesPolicy.Properties.PolicyName = { 'Fn::GetAtt': ['BatchInference', 'Name'] }),
    says: /^ValidationError: Circular dependency between resources: \[.*BatchInference/,
  },
  {
    mistake: 'an intrinsic function is misspelt',
    make: ({ Resources }) => (Resources.Topic.Properties.TopicName = { 'Fn::Joins': ['-', ['a', 'b']] }),
    says: 'Template error: Encountered unsupported function: Fn::Joins Supported functions are: [',
  },
  {
    mistake: 'there are more than 200 outputs',
    make: (template) => {
      for (let index = 0; index < 200; index++) template.Outputs[`Extra${index}`] = { Value: 'x' };
    },
    says: 'is greater than maximum allowed, 200',
  },
  {
    mistake: 'a parameter is misspelt',
    make: () => undefined,
    request: { parameters: { NotificationsEmail: 'you@example.com' } },
    says: 'Parameters: [NotificationsEmail] do not exist in the template',
  },
  {
    mistake: 'a parameter is outside its range',
    make: () => undefined,
    request: { parameters: { RunsRetentionDays: '0' } },
    says: "Parameter 'RunsRetentionDays' must be a number not less than 1",
  },
  {
    mistake: 'a role has a name, and the deployer has not agreed to that',
    make: ({ Resources }) => (Resources.ModelRole.Properties.RoleName = 'inferdrop-model'),
    says: 'InsufficientCapabilitiesException: Requires capabilities : [CAPABILITY_NAMED_IAM]',
  },
  {
    mistake: 'the deployer has not agreed to roles',
    make: () => undefined,
    request: { capabilities: [] },
    says: 'InsufficientCapabilitiesException: Requires capabilities : [CAPABILITY_IAM]',
  },
];
