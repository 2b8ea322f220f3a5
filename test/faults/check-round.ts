import { createHash } from 'node:crypto';
import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { ListExecutionsCommand, ListStateMachinesCommand, type SFNClient } from '@aws-sdk/client-sfn';
import {
  ListEndpointsCommand,
  ListTransformJobsCommand,
  type SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { readRows } from '../../src/report/read-rows.ts';
import type { Ledger } from './ledger.ts';

export interface Clients {
  readonly s3: S3Client;
  readonly sfn: SFNClient;
  readonly sagemaker: SageMakerClient;
}

/** What a round is found to have done. */
export interface Found {
  readonly problems: string[];
  readonly runs: number;
  readonly files: number;
  /** Runs that ended as failed, with their error: their files are not lost, a rerun predicts them. */
  readonly failed: string[];
}

interface Entry {
  readonly key: string;
  /** The campaign writes no bytes twice, so an ETag is one version. */
  readonly etag: string;
}

/** The folder of a run in the bucket: `runs/<pipeline>/<drop>/<generation>`, without reruns. */
const RUN = /^runs\/(([^/]+)\/([^/]+)\/\d{6})(r\d+)?\//;

/**
 * Holds the bucket against what was acknowledged, knowing nothing of the application but where it documents its files to be: each file's newest
 * version in exactly one manifest and in exactly one row; one message a run; sums that add up; nothing left running.
 *
 * @param messages SNS messages by run
 */
export async function checkRound(
  { s3, sfn, sagemaker }: Clients,
  bucket: string,
  ledger: Ledger,
  messages: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Found> {
  const problems: string[] = [];
  const read = async (key: string, versionId?: string): Promise<Buffer | undefined> => {
    try {
      const { Body } = await s3.send(
        new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId }),
      );
      return Buffer.from(await Body!.transformToByteArray());
    } catch (error) {
      if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
      throw error;
    }
  };

  for (const { key, versionId, sha256 } of ledger.writes) {
    const body = await read(key, versionId);
    const found = body && createHash('sha256').update(body).digest('hex');
    if (found !== sha256)
      problems.push(`${key} (${versionId}): acknowledged, now ${body ? 'other bytes' : 'gone'}`);
  }

  const newest = new Map<string, string>();
  for (let marker: { KeyMarker?: string; VersionIdMarker?: string } = {}; ;) {
    const page = await s3.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: 'incoming/', ...marker }),
    );
    for (const { Key, ETag, IsLatest } of page.Versions ?? [])
      if (IsLatest && !Key!.endsWith('/_READY')) newest.set(Key!, unquoted(ETag!));
    if (!page.IsTruncated) break;
    marker = { KeyMarker: page.NextKeyMarker!, VersionIdMarker: page.NextVersionIdMarker! };
  }

  const runs = new Map<string, Set<string>>();
  for await (const page of paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix: 'runs/' })) {
    for (const { Key = '' } of page.Contents ?? []) {
      const [folder, name, , , repeat] = RUN.exec(Key) ?? [];
      if (folder === undefined || name === undefined) continue;
      const run = `${name}${repeat ?? ''}`;
      if (!runs.has(run)) runs.set(run, new Set());
      runs.get(run)!.add(Key);
    }
  }

  const manifests = new Map<string, string[]>();
  const failed: string[] = [];
  for (const [run, keys] of runs) {
    const base = `runs/${run}/`;
    const entries = lines(await read(`${base}manifest.jsonl`)).map((line): Entry => {
      const { key, etag } = JSON.parse(line);
      return { key, etag };
    });
    const twice = repeated(entries.map(({ key }) => key));
    if (twice.length > 0) problems.push(`${run}: twice in the manifest: ${twice.join(' ')}`);
    const isRepeat = /r\d+$/.test(run);
    if (!isRepeat) {
      for (const { key, etag } of entries) {
        const id = `${key} ${etag}`;
        manifests.set(id, [...(manifests.get(id) ?? []), run]);
      }
    }
    const report = JSON.parse((await read(`${base}report.json`))?.toString() ?? 'null');
    if (report === null) {
      if (entries.length > 0) problems.push(`${run}: ${entries.length} inputs and no report`);
      continue;
    }
    const told = messages.get(run)?.size ?? 0;
    if (told === 0) problems.push(`${run}: no message`);
    if (report.total !== entries.length) {
      problems.push(`${run}: the report counts ${report.total} inputs, its manifest ${entries.length}`);
    }
    if (report.status !== 'completed' && report.status !== 'completed-with-errors') {
      failed.push(`${run} (${report.failure?.error})`);
      continue;
    }
    const rows: string[] = [];
    for (const key of [...keys].filter((name) => name.startsWith(`${base}rows/`))) {
      for await (const group of readRows(new Uint8Array((await read(key))!)))
        rows.push(...group.map((row) => row.key));
    }
    const inRows = new Set(rows);
    const missing = entries.filter(({ key }) => !inRows.has(key));
    if (missing.length > 0) problems.push(`${run}: in no row: ${missing.map(({ key }) => key).join(' ')}`);
    const doubled = repeated(rows);
    if (doubled.length > 0) problems.push(`${run}: in two rows: ${doubled.join(' ')}`);
    if (rows.length !== entries.length)
      problems.push(`${run}: ${rows.length} rows for ${entries.length} inputs`);
    if (report.records + report.errors !== rows.length) {
      problems.push(`${run}: ${report.records} records and ${report.errors} errors, but ${rows.length} rows`);
    }
  }

  for (const [key, etag] of newest) {
    const holders = manifests.get(`${key} ${etag}`) ?? [];
    if (holders.length !== 1) {
      problems.push(`${key} (${etag}): newest version in ${holders.length} manifests ${holders.join(' ')}`);
    }
  }

  const { stateMachines = [] } = await sfn.send(new ListStateMachinesCommand({}));
  for (const { stateMachineArn } of stateMachines) {
    const list = new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING' });
    const { executions = [] } = await sfn.send(list);
    for (const { name } of executions) problems.push(`execution ${name} runs on`);
  }
  for (const status of ['InProgress', 'Stopping'] as const) {
    const { TransformJobSummaries: jobs = [] } = await sagemaker.send(
      new ListTransformJobsCommand({ StatusEquals: status }),
    );
    for (const { TransformJobName } of jobs) problems.push(`job ${TransformJobName} is ${status}`);
  }
  const { Endpoints = [] } = await sagemaker.send(new ListEndpointsCommand({}));
  for (const { EndpointName } of Endpoints) problems.push(`endpoint ${EndpointName} is left`);

  return { problems, runs: runs.size, files: newest.size, failed };
}

function lines(bytes: Buffer | undefined): string[] {
  return (bytes?.toString() ?? '').split('\n').filter((line) => line !== '');
}

function unquoted(etag: string): string {
  return etag.replaceAll('"', '');
}

function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}
