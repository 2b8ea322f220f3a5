import { expect, it } from 'vitest';
import { generatedRoles } from '../../scripts/generated-roles.ts';

const READS = { Effect: 'Allow', Action: 's3:GetObject', Resource: 'a' };
const SENDS = { Effect: 'Allow', Action: 'sns:Publish', Resource: 'b' };

/** The roles that the step makes of statements and writes. */
function madeOf(roles: readonly object[], writes: object = {}): Record<string, any> {
  const template = { Resources: {} };
  generatedRoles(template, { custom: { roles, writes } } as never);
  return template.Resources;
}

it('every function writes its own log, and only one that reads objects lists the bucket', () => {
  const { ReadFilesRole, SendRole } = madeOf([{ 'read-files': [READS] }, { send: [SENDS] }]);
  const text = JSON.stringify(ReadFilesRole);
  expect(text).toContain('ReadDashfilesLogGroup');
  expect(text).toContain('s3:ListBucket');
  expect(JSON.stringify(SendRole)).not.toContain('s3:ListBucket');
});

it('rights to write are a policy of their own, with at most one Deny', () => {
  const writes = { SendRole: { write: ['runs/*/a.json'], never: ['runs/training/*'] } };
  const { Policies } = madeOf([{ send: [SENDS] }], writes)['SendRole'].Properties;
  expect(Policies.map(({ PolicyName }: any) => PolicyName)).toEqual(['send', 'writes']);
  expect(Policies[1].PolicyDocument.Statement).toEqual([
    {
      Effect: 'Allow',
      Action: ['s3:PutObject', 's3:AbortMultipartUpload'],
      Resource: [{ 'Fn::Sub': '${Bucket.Arn}/runs/*/a.json' }],
    },
    { Effect: 'Deny', Action: 's3:PutObject', Resource: [{ 'Fn::Sub': '${Bucket.Arn}/runs/training/*' }] },
  ]);
});

it('a writer without a role, and a role in two files, are refused by name', () => {
  expect(() => madeOf([{ send: [SENDS] }], { SentRole: { write: ['a'] } })).toThrow(
    "src/run/bucket-layout.ts: a writer must be a role of the template, SentRole isn't",
  );
  expect(() => madeOf([{ send: [SENDS] }, { send: [READS] }])).toThrow(
    'infra/*/roles.yml: send must be there once, is there twice',
  );
});

it('serverless.yml without its rights to write is refused', () => {
  expect(() => generatedRoles({ Resources: {} }, { custom: { roles: [] } } as never)).toThrow('writes');
});
