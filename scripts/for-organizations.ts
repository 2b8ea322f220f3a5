import type { Template } from './template-step.ts';

type Properties = Readonly<Record<string, unknown>>;

const NOTHING = { Ref: 'AWS::NoValue' };
const TOPIC = JSON.stringify({ Ref: 'Topic' });

/** Goes with each right to read other buckets: across accounts KMS asks for it in the role's policy as well as the key's. */
const DECRYPT = {
  'Fn::If': [
    'HasReadKeys',
    {
      Effect: 'Allow',
      Action: 'kms:Decrypt',
      Resource: { Ref: 'ReadKeyArns' },
      Condition: { StringLike: { 'kms:ViaService': { 'Fn::Sub': 's3.*.${AWS::URLSuffix}' } } },
    },
    NOTHING,
  ],
};

/** Properties that each kind of resource has besides those in infra/, by the parameters that an organization sets. */
const ADDED: Readonly<Record<string, (properties: Properties) => Properties>> = {
  'AWS::IAM::Role': ({ Policies }) => ({
    ...(Policies !== undefined && { Policies: withReadKeys(Policies) }),
    PermissionsBoundary: { 'Fn::If': ['HasPermissionsBoundary', { Ref: 'PermissionsBoundaryArn' }, NOTHING] },
  }),
  'AWS::IAM::Policy': ({ PolicyDocument }) => ({ PolicyDocument: withReadKeys(PolicyDocument) }),
  'AWS::CloudWatch::Alarm': ({ AlarmActions, OKActions }) => ({
    ...(AlarmActions !== undefined && { AlarmActions: withAlarmTopic(AlarmActions) }),
    ...(OKActions !== undefined && { OKActions: withAlarmTopic(OKActions) }),
  }),
};

/** Adds the rules of an organization to a merged template. Without values for its parameters it makes the same resources as before. */
export function forOrganizations({ Resources }: Template): void {
  for (const resource of Object.values(Resources)) {
    const added = resource && ADDED[resource.Type]?.(resource.Properties ?? {});
    if (added) resource.Properties = { ...resource.Properties, ...added };
  }
}

function withAlarmTopic(actions: unknown): unknown {
  if (!Array.isArray(actions)) return actions;
  return actions.map((action: unknown) =>
    JSON.stringify(action) === TOPIC
      ? { 'Fn::If': ['HasAlarmTopic', { Ref: 'AlarmTopicArn' }, action] }
      : action,
  );
}

function withReadKeys(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(withReadKeys);
    return items.some(readsOtherBuckets) ? [...items, DECRYPT] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withReadKeys(one)]));
}

function readsOtherBuckets(statement: unknown): boolean {
  const text = JSON.stringify(statement);
  return text.startsWith('{"Fn::If":["HasReadBuckets",') && text.includes('"s3:GetObject');
}
