import * as z from 'zod';
import type { Resource, TemplateStep } from './template-step.ts';

/** Parts of serverless.yml, section `custom`: statements of functions' roles, by function, and infra/generated/writes.json. */
const Custom = z.object({
  roles: z.array(z.record(z.string(), z.array(z.unknown()))),
  writes: z.record(
    z.string(),
    z.object({
      write: z.array(z.string()).optional(),
      delete: z.array(z.string()).optional(),
      never: z.array(z.string()).optional(),
    }),
  ),
});
type Writes = z.infer<typeof Custom>['writes'][string];

const TRUST = policyDocument([
  { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
]);
const TRACES = {
  Effect: 'Allow',
  Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
  Resource: '*',
};
const LIST_BUCKET = allow('s3:ListBucket', { 'Fn::GetAtt': ['Bucket', 'Arn'] });
const USE_KEY = {
  'Fn::If': [
    'HasKmsKey',
    allow(['kms:Decrypt', 'kms:GenerateDataKey'], { Ref: 'KmsKeyArn' }),
    { Ref: 'AWS::NoValue' },
  ],
};

/**
 * Gives each function of infra/<machine>/roles.yml its role, and each role of the template what it may write.
 *
 * @throws {Error} if two files have the same role, or the layout of the bucket names a role that isn't there
 */
export const generatedRoles: TemplateStep = ({ Resources }, { custom }) => {
  const { roles, writes } = Custom.parse(custom);
  for (const [name, statements] of roles.flatMap((file) => Object.entries(file))) {
    const id = toRoleId(name);
    if (id in Resources) throw new Error(`infra/*/roles.yml: ${name} must be there once, is there twice`);
    Resources[id] = functionRole(name, statements);
  }
  for (const [id, allowed] of Object.entries(writes)) {
    const role = Resources[id];
    if (role?.Type !== 'AWS::IAM::Role')
      throw new Error(`src/run/bucket-layout.ts: a writer must be a role of the template, ${id} isn't`);
    const policies = z.array(z.unknown()).default([]).parse(role.Properties?.['Policies']);
    role.Properties = { ...role.Properties, Policies: [...policies, policy('writes', writing(allowed))] };
  }
};

/** Logical id of a role by the name of its function or service: `AcceptDropRole` of `accept-drop`. */
export function toRoleId(name: string): string {
  return `${name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())}Role`;
}

function functionRole(name: string, statements: readonly unknown[]): Resource {
  const group = `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', 'Dash')}LogGroup`;
  const log = allow(['logs:CreateLogStream', 'logs:PutLogEvents'], { 'Fn::GetAtt': [group, 'Arn'] });
  // Without the right to list, a missing object answers 403 instead of 404.
  const list = statements.some(readsObjects) ? [LIST_BUCKET] : [];
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: TRUST,
      Policies: [policy(name, [log, TRACES, ...list, ...statements, USE_KEY])],
    },
  };
}

function readsObjects(statement: unknown): boolean {
  return JSON.stringify(statement).includes('"s3:GetObject"');
}

function writing({ write = [], delete: deleted = [], never = [] }: Writes): readonly unknown[] {
  const keys = (patterns: readonly string[]) =>
    patterns.map((pattern) => ({ 'Fn::Sub': `\${Bucket.Arn}/${pattern}` }));
  return [
    ...(write.length > 0 ? [allow(['s3:PutObject', 's3:AbortMultipartUpload'], keys(write))] : []),
    ...(deleted.length > 0 ? [allow('s3:DeleteObject', keys(deleted))] : []),
    ...(never.length > 0 ? [{ Effect: 'Deny', Action: 's3:PutObject', Resource: keys(never) }] : []),
  ];
}

function allow(Action: string | readonly string[], Resource: unknown) {
  return { Effect: 'Allow', Action, Resource };
}

function policy(PolicyName: string, statements: readonly unknown[]) {
  return { PolicyName, PolicyDocument: policyDocument(statements) };
}

function policyDocument(Statement: readonly unknown[]) {
  return { Version: '2012-10-17', Statement };
}
