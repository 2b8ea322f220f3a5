import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Stack, StackOptions } from '@inferdrop/laptop';
import { CANARY_PIPELINE } from '../../src/app/verify/probe/name.ts';
import { objectArn, type RoleCall } from '../../src/app/verify/role-calls/role-call.ts';
import { UNREACHED } from '../../src/app/verify/role-calls/unreached.ts';
import { exampleOf, ROW_WRITERS, rowMatcher } from './layout-rows.ts';

const FILE = path.resolve(import.meta.dirname, '../../src/app/verify/role-calls/recorded.json');

type AllowedCall = Parameters<NonNullable<StackOptions['onAllowed']>>[0];

interface RecordedCall extends RoleCall {
  actions: readonly string[];
}

/** Condition keys of the template's policies that a call has values for. */
const CONDITION_KEYS = new Set([
  'aws:RequestTag/inferdrop:application',
  'aws:ResourceTag/inferdrop:application',
  'aws:ResourceTag/inferdrop:candidate-of',
  'iam:PassedToService',
  'iam:AWSServiceName',
  's3:prefix',
  'cloudwatch:namespace',
  'application-autoscaling:service-namespace',
  'kms:GrantIsForAWSResource',
]);

/** Documents that the application names itself; every other file is called `a`. */
const DOCUMENT =
  /^([a-z-]+\.(json|jsonl|manifest|tar\.gz|html|md|svg|csv|sql)|freezing|pulse|labels|_READY|_UPLOADING)$/;

/** Beginnings of keys, and what stands for all of their kind; the first pattern that fits decides. */
const FOLDERS: readonly (readonly [RegExp, string])[] = [
  [/^(runs|staged|state)\/(training\/)?[^/]+\/(@?)[^/]+\/\d{6}\w*\//, '$1/$2a-pipeline/$3a-drop/000001/'],
  [/^state\/(training\/)?[^/]+\/(@?)[^/]+\/(?=pulse$)/, 'state/$1a-pipeline/$2a-drop/'],
  [/^(incoming|training)\/[^/]+\/[^/]+\/(?=(job\.json|_READY|_UPLOADING)$)/, '$1/a-pipeline/a-drop/'],
  [/^(incoming|training|shared)\/.*$/, '$1/a-pipeline/a-drop/'],
  [/^index\/(training\/)?.*$/, 'index/$1a-pipeline/'],
  [/^messages\/.*$/, 'messages/a-pipeline/'],
  [/^functions\/(endpoints|configs)\/(?=.)/, 'functions/$1/'],
  [/^(models|sources)\/[^/]+\//, `$1/${'0a'.repeat(32)}/`],
  [/^(pipelines|endpoints|state)\/(training\/)?[^/]+\/(?=.)/, '$1/$2a-pipeline/'],
];

/** Other resources, and what stands for all of their kind. */
const RESOURCES: readonly (readonly [RegExp, string])[] = [
  [/:log-stream:.+$/, ':log-stream:a'],
  [/:(endpoint|endpoint-config|model|inference-component)\/(\{stack\}|inferdrop)-.*$/, ':$1/$2-a-pipeline'],
  [/:(transform|training)-job\/inferdrop-.*$/, ':$1-job/inferdrop-a-pipeline-a-drop-1'],
  [/:alarm:\{stack\}-.*-(asleep|disagrees)$/, ':alarm:{stack}-a-pipeline-$1'],
  // What Application Auto Scaling tries its caller's rights on: on the laptop an alarm without a name, and made-up endpoints.
  [/:alarm:.*$/, ':alarm:TargetTracking-endpoint/{stack}-a-pipeline/variant/a'],
  [/:(endpoint|endpoint-config|inference-component)\/[0-9a-f-]{36}$/, ':$1/0a'],
  [/:execution:([\w{}-]+):.*$/, ':execution:$1:a'],
  [/:execution:([\w{}-]+)\/.*$/, ':execution:$1/a:b'],
];

/** Notes what the roles of a stack call, and compares it with the calls that `inferdrop verify` has on file. */
export function recordRoleCalls(stackName: string) {
  const seen = new Set<string>();
  const onFile = (): RecordedCall[] => JSON.parse(readFileSync(FILE, 'utf8'));
  const without = (stack: Stack, known: ReadonlySet<string>): RecordedCall[] => {
    const calls = [...seen].flatMap((text) => toRecorded(JSON.parse(text), stack, stackName) ?? []);
    const found = new Map(calls.flatMap((call) => idsOf(call).map((id) => [id, call])));
    return [...found].filter(([id]) => !known.has(id)).map(([, call]) => call);
  };
  return {
    onAllowed: (call: AllowedCall): void => void seen.add(JSON.stringify(call)),
    /** Calls that IAM is not asked about. */
    unasked: (stack: Stack): readonly string[] =>
      without(stack, new Set([...onFile(), ...UNREACHED].flatMap(idsOf))).flatMap(idsOf),
    /** Puts on file what is not there. */
    keep(stack: Stack): void {
      const calls = onFile();
      for (const call of without(stack, new Set(calls.flatMap(idsOf)))) {
        const same = calls.find((one) => placeOf(one) === placeOf(call));
        if (same === undefined) calls.push(call);
        else same.actions = [...same.actions, ...call.actions].sort();
      }
      const lines = calls.map((call) => JSON.stringify(call)).sort();
      writeFileSync(FILE, `[\n${lines.join(',\n')}\n]\n`);
    },
  };
}

/** What a call is known by: of the objects in a folder that a role reads, one stands for all. */
export function idsOf({ role, actions, resource }: RoleCall): string[] {
  return actions.map((action) => {
    const kind = resource.replace('/@a-drop/', '/a-drop/');
    return `${role} ${action} ${action.startsWith('s3:GetObject') ? kind.replace(/[^/]+$/, '') : kind}`;
  });
}

function placeOf({ role, resource, context }: RecordedCall): string {
  return JSON.stringify([role, resource, context]);
}

/** Undefined for a role that is none of the stack's. */
function toRecorded(
  { roleArn, action, resource, context }: AllowedCall,
  { site, find }: Stack,
  stackName: string,
): RecordedCall | undefined {
  const { resources } = find(stackName);
  const role = resources.find(({ physicalId }) => roleArn.endsWith(`/${physicalId}`))?.logicalId;
  if (role === undefined) return undefined;
  const names = resources
    .filter(({ type }) => ['AWS::S3::Bucket', 'AWS::IAM::Role', 'AWS::KMS::Key'].includes(type))
    .map(({ physicalId, logicalId }) => [physicalId, logicalId] as const);
  const named = (text: string): string =>
    [...names, [stackName, 'stack'] as const]
      .reduce((part, [value, name]) => part.replaceAll(value, `{${name}}`), text)
      .replace(/^arn:aws:kms:.*:key\/(?!\{).*$/, '{KmsKeyArn}')
      .replace(/^arn:aws:/, 'arn:{partition}:')
      .replaceAll(site.region, '{region}')
      .replaceAll(site.account, '{account}');
  return {
    role,
    actions: [action],
    resource: writtenExample(role, action, resource) ?? inItsPipeline(role, toExample(named(resource))),
    context: Object.fromEntries(
      Object.entries(context).flatMap(([key, value]) =>
        CONDITION_KEYS.has(key) && typeof value === 'string' ? [[key, toContext(key, named(value))]] : [],
      ),
    ),
  };
}

/** The canary reads only in its own pipeline. */
function inItsPipeline(role: string, example: string): string {
  return role === 'CanaryRole' ? example.replace('/a-pipeline/', `/${CANARY_PIPELINE}/`) : example;
}

const WRITERS = ROW_WRITERS.map((writer) => ({
  ...writer,
  matcher: rowMatcher(writer.row),
  key: exampleOf(writer),
}));

/** The example of what a role writes or deletes, by the layout of the bucket; undefined for every other call. */
function writtenExample(role: string, action: string, resource: string): string | undefined {
  const key = /^arn:aws:s3:::[^/]+\/(.+)$/s.exec(resource)?.[1] ?? '';
  const isThis = (one: (typeof WRITERS)[number]): boolean =>
    one.role === role && one.action === action && one.matcher.test(key);
  const found = WRITERS.filter(isThis).toSorted(
    (a, b) => Number(a.row.key.isOpen) - Number(b.row.key.isOpen),
  )[0];
  return found && objectArn(found.key);
}

function toContext(key: string, value: string): string {
  if (key === 's3:prefix') return inFolder(value).join('');
  if (key === 'cloudwatch:namespace') return value.replace(/^inferdrop\/.*$/, 'inferdrop/{stage}');
  return key === 'aws:ResourceTag/inferdrop:candidate-of' ? 'a-pipeline' : value;
}

function toExample(resource: string): string {
  const [, bucket, key] = /^(arn:\{partition\}:s3:::\{Bucket\}\/)(.+)$/.exec(resource) ?? [];
  if (bucket !== undefined && key !== undefined) {
    const [folder, rest] = inFolder(key);
    return `${bucket}${folder}${folder === '' ? rest : toFile(rest)}`;
  }
  const found = RESOURCES.find(([pattern]) => pattern.test(resource));
  return found === undefined ? resource : resource.replace(...found);
}

/** The example of a key's folder, and the rest of the key. */
function inFolder(key: string): readonly [string, string] {
  for (const [pattern, example] of FOLDERS) {
    const [folder] = pattern.exec(key) ?? [];
    if (folder === undefined) continue;
    const rest = key.slice(folder.length);
    const named = key.replace(pattern, example);
    return [named.slice(0, named.length - rest.length), rest];
  }
  return ['', key];
}

/** `jobs/1/job.json` of a run is `jobs/a/job.json`, and `predictions/b/c.png.out` is `predictions/a/a`. */
function toFile(rest: string): string {
  const parts = rest.split('/');
  const name = parts.at(-1) ?? '';
  const file = DOCUMENT.test(name) ? name : 'a';
  return parts.length === 1 ? file : `${parts[0]}/a/${file}`;
}
