import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { decider } from '../../packages/laptop/iam/decide.ts';
import { toRoleId } from '../../scripts/generated-roles.ts';
import { packageApplication } from '../../scripts/package-application.ts';
import { type Row, ROWS } from '../../scripts/role-writes.ts';
import { CANARY_PIPELINE } from '../../src/app/verify/probe/name.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { isPipelineName } from '../../src/run/run-id.ts';
import { fillRow, rowMatcher } from '../support/layout-rows.ts';

const BUCKET = 'arn:aws:s3:::bucket';
/** The longest that IAM takes for all inline policies of a role, without white space. */
const MAX_CHARACTERS = 10_240;

let resources: Record<string, any>;
let roles: ReadonlyMap<string, any[]>;
beforeAll(async () => {
  const { template } = await packageApplication(path.resolve(import.meta.dirname, '..', '..'), 'dev');
  resources = JSON.parse(template).Resources;
  roles = statementsOf(BUCKET, 'aws');
});

/** The statements of each role with names in place of references; what a condition of the template adds is there, too. */
function statementsOf(bucket: string, partition: string): ReadonlyMap<string, any[]> {
  const names: Record<string, string> = { 'AWS::Partition': partition, 'Bucket.Arn': bucket };
  const named = (value: any): any => {
    if (Array.isArray(value)) return value.map(named);
    if (value === null || typeof value !== 'object') return value;
    if ('Fn::If' in value) return named(value['Fn::If'][1]);
    if ('Fn::Sub' in value)
      return [value['Fn::Sub']]
        .flat()[0]
        .replaceAll(/\$\{([^}]+)\}/g, (_: string, name: string) => names[name] ?? 'n'.repeat(12));
    if ('Fn::GetAtt' in value)
      return value['Fn::GetAtt'][0] === 'Bucket'
        ? bucket
        : `arn:${partition}:iam::123456789012:role/${'n'.repeat(64)}`;
    if ('Ref' in value || 'Fn::Split' in value)
      return `arn:${partition}:kms:us-gov-west-1:123456789012:key/${'n'.repeat(36)}`;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, named(one)]));
  };
  const attached = Object.values(resources).filter(({ Type }) => Type === 'AWS::IAM::Policy');
  return new Map(
    Object.entries(resources)
      .filter(([, { Type }]) => Type === 'AWS::IAM::Role')
      .map(([id, { Properties }]) => {
        const more = attached.filter((one) => JSON.stringify(one.Properties.Roles).includes(`"${id}"`));
        const policies = [...(Properties.Policies ?? []), ...more.map((one) => one.Properties)];
        return [id, policies.flatMap(({ PolicyDocument }: any) => named(PolicyDocument.Statement))];
      }),
  );
}

/** Names that a pipeline, a drop or a file may have, and that folders and documents of the layout have. */
const ODD = [
  'v',
  ...new Set(ROWS.flatMap(({ key }) => key.template.split('/')).filter((part) => !/[{}]|^$/.test(part))),
  ...['000001', '000001.json', '@v', 'v@', '_READY'],
];
const TAILS = [
  'x.png',
  ...ODD,
  ...ODD.map((name) => `${name}/000001.json`),
  ...[
    'x/jobs/1/job.json',
    'a/b/000001/plan.json',
    'fold/000000.json',
    'members/1.jsonl',
    'predictions/x',
    'parts/1/input.manifest',
  ],
];
/** Keys of a row at odd places; below an open one, at odd names. */
function keysOf(row: Row): string[] {
  const filling = { generation: '000001', list: 'parts/1', number: '000001', name: 'v' };
  return ODD.flatMap((drop) => {
    const pipelines = [
      'v',
      ...(isPipelineName(drop) ? [drop] : []),
      ...(drop === 'v' ? [CANARY_PIPELINE] : []),
    ];
    const tails = !row.key.isOpen ? [''] : drop === 'v' ? TAILS : TAILS.slice(0, 3);
    return pipelines.flatMap((pipeline) =>
      tails.map((tail) => fillRow(row, { ...filling, pipeline, drop }) + tail),
    );
  });
}

/** Roles that may write each key, by the rows that it belongs to; `canary` only in its own pipeline. */
function ownersByKey(
  keys: ReadonlySet<string>,
  by: 'writers' | 'deleters',
): ReadonlyMap<string, Set<string>> {
  const rows = ROWS.map((row) => ({ matcher: rowMatcher(row), roles: row[by] }));
  return new Map(
    [...keys].map((key) => {
      const named = rows.filter(({ matcher }) => matcher.test(key)).flatMap((row) => row.roles);
      const own = named.filter((role) => role !== 'canary' || key.split('/')[1] === CANARY_PIPELINE);
      return [key, new Set(own.map(toRoleId))];
    }),
  );
}

it.each([
  // A file of a training's data that has the name of its request, in a folder of its drop.
  ['s3:PutObject', 'writers', ['ApiStartRole training/inferdrop-canary/v/x/jobs/1/job.json']],
  ['s3:DeleteObject', 'deleters', []],
] as const)('no role has %s on a document of others, whatever names users choose', (action, by, meant) => {
  const keys = new Set(ROWS.flatMap(keysOf));
  const owners = ownersByKey(keys, by);
  const wrong = new Map<string, string>();
  const missing: string[] = [];
  for (const [id, statements] of roles) {
    const Statement = statements.filter(({ Resource }) => /:s3:|\*"/.test(JSON.stringify(Resource)));
    const decide = decider([{ Version: '2012-10-17', Statement }] as never);
    for (const key of keys) {
      const isAllowed = decide({ action, resource: `${BUCKET}/${key}` }) === 'allowed';
      const isOwn = owners.get(key)!.has(id);
      if (isAllowed && !isOwn) wrong.set(id, key);
      if (!isAllowed && isOwn) missing.push(`${id} ${key}`);
    }
  }
  expect(missing.slice(0, 10)).toEqual([]);
  expect(Array.from(wrong, (pair) => pair.join(' '))).toEqual(meant);
  expect(keys.size * roles.size).toBeGreaterThan(1_000_000);
});

it('the policies of each role fit into IAM, in the longest partition and with a bucket of the longest name', () => {
  const sizes = Array.from(
    statementsOf(`arn:aws-us-gov:s3:::${'b'.repeat(63)}`, 'aws-us-gov'),
    ([id, statements]) => ({
      id,
      characters: JSON.stringify({ Version: '2012-10-17', Statement: statements }).length,
    }),
  );
  expect(sizes.filter(({ characters }) => characters > MAX_CHARACTERS)).toEqual([]);
  expect(Math.max(...sizes.map(({ characters }) => characters))).toBeGreaterThan(3_000);
});

it('each document of the layout has a writer, and a key without one is the beginning of others', () => {
  const unwritten = ROWS.filter(({ writers, deleters }) => writers.length + deleters.length === 0);
  expect(unwritten.map(({ name }) => name)).toEqual([]);
  const folders = Object.entries(bucketLayout).filter(([, key]) => key.writers === undefined);
  const alone = folders.filter(([, { template }]) =>
    Object.values(bucketLayout).every(
      (other) => other.template === template || !other.template.startsWith(template),
    ),
  );
  expect(alone.map(([name]) => name)).toEqual(['pipelineFolder']);
});
