import { createHash } from 'node:crypto';
import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import {
  DescribeEndpointCommand,
  DescribeTransformJobCommand,
  ListEndpointConfigsCommand,
  ListEndpointsCommand,
  ListTagsCommand,
  ListTransformJobsCommand,
  type SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { ListExecutionsCommand, ListStateMachinesCommand, type SFNClient } from '@aws-sdk/client-sfn';
import { keyOfName } from '../../src/input/record-name.ts';
import { readRows } from '../../src/report/table/read-rows.ts';
import { insist } from './application.ts';
import type { Ledger } from './ledger.ts';

/** Each file of lines has one, which is an input of its own. */
const fileOf = keyOfName(true);

/** View that the checker has of the application: nothing that its users cannot see. */
export interface Checked {
  readonly bucket: string;
  readonly s3: S3Client;
  readonly sfn: SFNClient;
  readonly sagemaker: SageMakerClient;
  readonly ledger: Ledger;
  /** Bodies of the messages that came, by SNS message id, by run. */
  readonly messages: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Facts that a round is found to have produced. */
export interface Found {
  readonly problems: string[];
  readonly runs: number;
  readonly files: number;
  /** Runs that ended as failed, with their error: their files are not lost, a rerun predicts them. */
  readonly failed: string[];
  /** Drops with generations that died one after another. Their files wait for the next upload. */
  readonly stranded: string[];
}

interface Entry {
  readonly key: string;
  readonly etag: string;
  /** An upload that was not acknowledged comes again with the same bytes: then this is what tells two versions apart. */
  readonly lastModified: string;
}

/** The folder of a run in the bucket: `runs/<pipeline>/<drop>/<generation>`, a rerun's with `r<number>` behind it. */
const RUN = /^runs\/([^/]+\/[^/]+\/\d{6}(?:r\d+)?)\//;
/** A drop's generations that died one after another before the next upload is left to open another. */
const MAX_ABANDONED = 3;
const CENT_PART = 1e-9;

/**
 * Holds the bucket against what was acknowledged, knowing nothing of the application but where it documents its files
 * to be: each file's newest version in exactly one manifest and in exactly one row; one message a run; sums that add
 * up; nothing left running.
 *
 * @param repeats by run, how often its message may have come again (see `allowedRepeats`)
 */
export async function checkRound(
  checked: Checked,
  repeats: ReadonlyMap<string, number> = new Map(),
): Promise<Found> {
  const { bucket, ledger, messages } = checked;
  const problems: string[] = [];
  const bytes = async (key: string, versionId?: string): Promise<Buffer | undefined> => {
    const get = new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId });
    return insist(async () => {
      try {
        const { Body } = await checked.s3.send(get);
        return Buffer.from(await Body!.transformToByteArray());
      } catch (error) {
        if (error instanceof Error && /^NoSuch(Key|Version)$/.test(error.name)) return undefined;
        // The client holds what it reads against the checksum that was stored.
        if (error instanceof Error && error.message.startsWith('Checksum mismatch')) return Buffer.alloc(0);
        throw error;
      }
    });
  };
  const json = async (key: string): Promise<any> => JSON.parse((await bytes(key))?.toString() ?? 'null');
  const keysBelow = async (prefix: string): Promise<string[]> => {
    const pages = paginateListObjectsV2({ client: checked.s3 }, { Bucket: bucket, Prefix: prefix });
    return (await Array.fromAsync(pages)).flatMap(({ Contents = [] }) => Contents.map(({ Key }) => Key!));
  };

  for (const { key, versionId, sha256 } of ledger.writes) {
    const body = await bytes(key, versionId);
    const found = body && createHash('sha256').update(body).digest('hex');
    if (found !== sha256)
      problems.push(`${key} (${versionId}): acknowledged, now ${body ? 'other bytes' : 'gone'}`);
  }

  /** `manifest.jsonl`; for a run that died before it was written, the slices that its `frozen.json` names, which a rerun takes. */
  const manifestOf = async (run: string): Promise<Entry[]> => {
    const whole = await bytes(`runs/${run}/manifest.jsonl`);
    const frozen = whole ? null : await json(`state/${run}/frozen.json`);
    const slices: { object: string }[] = frozen?.manifestSlices ?? [];
    const parts = whole ? [whole] : await Promise.all(slices.map(({ object }) => bytes(object)));
    return parts.flatMap((part) => lines(part).map((line): Entry => JSON.parse(line)));
  };
  const newest = await newestVersions(checked);
  const runs = new Map<string, string[]>();
  for (const key of await keysBelow('runs/')) {
    const run = RUN.exec(key)?.[1];
    if (run !== undefined) runs.set(run, [...(runs.get(run) ?? []), key]);
  }
  const jobs = await jobsByRun(checked);

  const manifests = new Map<string, string[]>();
  const failed: string[] = [];
  const predicted = new Set<string>();
  for (const [run, keys] of runs) {
    const base = `runs/${run}/`;
    const entries = await manifestOf(run);
    const twice = repeated(entries.map(({ key }) => key));
    if (twice.length > 0) problems.push(`${run}: twice in the manifest: ${twice.join(' ')}`);
    if (!isRerun(run)) {
      for (const { key, etag, lastModified } of entries) {
        const id = versionId(key, etag, new Date(lastModified));
        manifests.set(id, [...(manifests.get(id) ?? []), run]);
      }
    }
    const report = await json(`${base}report.json`);
    if (report === null) {
      if (entries.length > 0) problems.push(`${run}: ${entries.length} inputs and no report`);
      continue;
    }
    if ((messages.get(run)?.size ?? 0) === 0) problems.push(`${run}: no message`);
    if (report.total !== entries.length) {
      problems.push(`${run}: the report counts ${report.total} inputs, its manifest ${entries.length}`);
    }
    problems.push(...costProblems(run, report, await json(`${base}receipt.json`), jobs.get(run) ?? []));
    if (report.status !== 'completed' && report.status !== 'completed-with-errors') {
      // An abandoned run has taken nothing in, and what was overwritten or deleted since is not predicted by another run either.
      const isNewest = ({ key, etag, lastModified }: Entry): boolean =>
        newest.get(key) === versionId(key, etag, new Date(lastModified));
      if (entries.some(isNewest)) failed.push(`${run} (${report.failure?.error ?? report.status})`);
      continue;
    }
    predicted.add(run.replace(/r\d+$/, ''));
    const rows: { key: string; correct: boolean | null; error: string | null }[] = [];
    for (const key of keys.filter((name) => name.startsWith(`${base}rows/`))) {
      for await (const group of readRows(new Uint8Array((await bytes(key))!)))
        rows.push(...group.map((row) => ({ ...row, key: fileOf(row.key) })));
    }
    const inRows = new Set(rows.map(({ key }) => key));
    const missing = entries.filter(({ key }) => !inRows.has(key));
    if (missing.length > 0) problems.push(`${run}: in no row: ${missing.map(({ key }) => key).join(' ')}`);
    const doubled = repeated(rows.map(({ key }) => key));
    if (doubled.length > 0) problems.push(`${run}: in two rows: ${doubled.join(' ')}`);
    if (rows.length !== entries.length)
      problems.push(`${run}: ${rows.length} rows for ${entries.length} inputs`);
    const errors = rows.filter(({ error }) => error !== null).length;
    const correct = rows.filter((row) => row.correct === true).length;
    const reported = `${report.records} records, ${report.errors} errors, ${report.correct} correct`;
    const counted = `${rows.length - errors} records, ${errors} errors, ${correct} correct`;
    if (reported !== counted) problems.push(`${run}: the report says ${reported}, its rows ${counted}`);
  }

  const abandoned = new Map<string, number>();
  const states = await keysBelow('state/');
  for (const key of states) {
    const [, pipeline, drop, generation, mark] = key.split('/');
    const name = `${pipeline}/${drop}`;
    const has = (other: string): boolean => states.includes(`state/${name}/${generation}/${other}`);
    if (mark === 'freezing' && !(has('frozen.json') && has('ended.json')))
      problems.push(`${name}/${generation}: began to freeze, and was never brought to its end`);
    if (mark === 'frozen.json' && (await json(key)).status === 'abandoned')
      abandoned.set(name, (abandoned.get(name) ?? 0) + 1);
  }
  const stranded = new Set<string>();
  for (const [key, version] of newest) {
    const holders = manifests.get(version) ?? [];
    const drop = key.split('/').slice(1, 3).join('/');
    if (holders.length === 0 && (abandoned.get(drop) ?? 0) >= MAX_ABANDONED) stranded.add(drop);
    else if (holders.length !== 1)
      problems.push(`${version}: newest version in ${holders.length} manifests ${holders.join(' ')}`);
  }
  for (const [run, bodies] of messages) {
    if (!runs.has(run)) continue;
    const allowed = repeats.get(run) ?? 0;
    if (bodies.size > 1 + allowed)
      problems.push(`${run}: ${bodies.size} messages, ${allowed} may be repetitions`);
    if (new Set(bodies.values()).size > 1) problems.push(`${run}: messages that differ`);
  }
  problems.push(...(await leftRunning(checked)));
  problems.push(...(await leftEndpoints(checked, runs, json, await keysBelow('endpoints/'))));
  return {
    problems,
    runs: runs.size,
    files: newest.size,
    failed: failed.filter((name) => !predicted.has(name.replace(/(r\d+)? .*$/, ''))),
    stranded: [...stranded],
  };
}

async function newestVersions({ s3, bucket }: Checked): Promise<Map<string, string>> {
  const newest = new Map<string, string>();
  for (let marker: { KeyMarker?: string; VersionIdMarker?: string } = {}; ;) {
    const page = await insist(() =>
      s3.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: 'incoming/', ...marker })),
    );
    for (const { Key = '', ETag = '', LastModified, IsLatest } of page.Versions ?? [])
      if (IsLatest && !Key.endsWith('/_READY'))
        newest.set(Key, versionId(Key, ETag.replaceAll('"', ''), LastModified!));
    if (!page.IsTruncated) return newest;
    marker = { KeyMarker: page.NextKeyMarker!, VersionIdMarker: page.NextVersionIdMarker! };
  }
}

/** The names of all transform jobs, by the run that they write to. */
async function jobsByRun({ sagemaker }: Checked): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (let NextToken: string | undefined; ;) {
    const page = await insist(() =>
      sagemaker.send(new ListTransformJobsCommand({ MaxResults: 100, NextToken })),
    );
    for (const { TransformJobName } of page.TransformJobSummaries ?? []) {
      const job = await insist(() => sagemaker.send(new DescribeTransformJobCommand({ TransformJobName })));
      const [, run] =
        /\/runs\/([^/]+\/[^/]+\/\d{6}(?:r\d+)?)\//.exec(`${job.TransformOutput?.S3OutputPath}/`) ?? [];
      if (run !== undefined) found.set(run, [...(found.get(run) ?? []), TransformJobName!]);
    }
    NextToken = page.NextToken;
    if (NextToken === undefined) return found;
  }
}

/** Every job that SageMaker ran for the run is in its report once, and their costs are the run's. */
function costProblems(run: string, report: any, receipt: any, jobs: readonly string[]): string[] {
  const reported: string[] = report.jobs.map(({ name }: { name: string }) => name);
  const untold = jobs.filter((name) => !reported.includes(name));
  const sum = report.jobs.reduce(
    (all: number, { costUsd }: { costUsd: number | null }) => all + (costUsd ?? 0),
    0,
  );
  return [
    ...untold.map((name) => `${run}: job ${name} is not in the report`),
    ...repeated(reported).map((name) => `${run}: job ${name} is twice in the report`),
    ...(Math.abs((report.costUsd ?? sum) - sum) > CENT_PART
      ? [`${run}: costs ${report.costUsd}, its jobs ${sum}`]
      : []),
    ...(receipt !== null && receipt.costUsd !== report.costUsd
      ? [`${run}: costs ${report.costUsd}, in its receipt ${receipt.costUsd}`]
      : []),
  ];
}

async function leftRunning({ sfn, sagemaker }: Checked): Promise<string[]> {
  const problems: string[] = [];
  const { stateMachines = [] } = await insist(() => sfn.send(new ListStateMachinesCommand({})));
  for (const { stateMachineArn } of stateMachines) {
    const list = new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING' });
    const { executions = [] } = await insist(() => sfn.send(list));
    for (const { name } of executions) problems.push(`execution ${name} runs on`);
  }
  for (const StatusEquals of ['InProgress', 'Stopping'] as const) {
    const list = new ListTransformJobsCommand({ StatusEquals });
    const { TransformJobSummaries: jobs = [] } = await insist(() => sagemaker.send(list));
    for (const { TransformJobName } of jobs) problems.push(`job ${TransformJobName} is ${StatusEquals}`);
  }
  return problems;
}

/** Each endpoint serves a run that passed its gate; no candidate, no configuration and no lock is left. */
async function leftEndpoints(
  { sagemaker }: Checked,
  runs: ReadonlyMap<string, unknown>,
  json: (key: string) => Promise<any>,
  keys: readonly string[],
): Promise<string[]> {
  const problems = keys.filter((key) => key.endsWith('/change.json')).map((key) => `${key} is left`);
  const { Endpoints = [] } = await insist(() => sagemaker.send(new ListEndpointsCommand({})));
  const configs = new Set<string>();
  const owners = new Set<string>();
  for (const { EndpointName: name, EndpointArn, EndpointStatus } of Endpoints) {
    const { Tags = [] } = await insist(() =>
      sagemaker.send(new ListTagsCommand({ ResourceArn: EndpointArn })),
    );
    const tags = Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value]));
    const run = tags['inferdrop:run'] ?? '';
    const pipeline = tags['inferdrop:pipeline'] ?? '';
    const served = await json(`endpoints/${pipeline}/served.json`);
    if (tags['inferdrop:candidate-of'] !== undefined) problems.push(`candidate ${name} is left`);
    else if (served?.endpointName !== name || !runs.has(run)) problems.push(`endpoint ${name} has no owner`);
    else if ((await json(`runs/${run}/report.json`))?.gate.verdict !== 'passed')
      problems.push(`endpoint ${name} serves ${run}, which did not pass its gate`);
    if (EndpointStatus !== 'InService') problems.push(`endpoint ${name} is ${EndpointStatus}`);
    if (owners.has(pipeline)) problems.push(`${pipeline} has two endpoints`);
    owners.add(pipeline);
    const described = await insist(() => sagemaker.send(new DescribeEndpointCommand({ EndpointName: name })));
    configs.add(described.EndpointConfigName!);
  }
  for (const key of keys.filter((name) => name.endsWith('/served.json'))) {
    const pipeline = key.split('/')[1]!;
    if (!owners.has(pipeline)) problems.push(`${key} names an endpoint that is not there`);
  }
  const { EndpointConfigs = [] } = await insist(() => sagemaker.send(new ListEndpointConfigsCommand({})));
  for (const { EndpointConfigName: name } of EndpointConfigs)
    if (!configs.has(name!)) problems.push(`endpoint configuration ${name} is left`);
  return problems;
}

function versionId(key: string, etag: string, lastModified: Date): string {
  return `${key} ${etag} ${lastModified.toISOString()}`;
}

function isRerun(run: string): boolean {
  return /r\d+$/.test(run);
}

function lines(bytes: Buffer | undefined): string[] {
  return (bytes?.toString() ?? '').split('\n').filter((line) => line !== '');
}

function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}
