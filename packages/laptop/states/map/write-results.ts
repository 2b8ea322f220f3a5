import type { ResultWriter } from '../definition/fields.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, parseJson } from '../json.ts';
import { errorName, StatesError } from '../states-error.ts';
import type { ChildRecord, MapRun, MapRuns } from '../store/map-runs.ts';
import type { SdkCalls } from '../tasks/sdk-calls.ts';

type WriterConfig = NonNullable<ResultWriter['WriterConfig']>;

/**
 * Writes what the children gave to S3, with a manifest, and gives the state's result.
 *
 * @throws {StatesError} `States.ResultWriterFailed`
 */
export async function writeResults(
  sdk: SdkCalls,
  mapRuns: MapRuns,
  run: MapRun,
  config: WriterConfig | undefined,
  args: Json,
): Promise<{ readonly result: JsonObject; readonly written: number }> {
  const { Bucket, Prefix = '' } = isJsonObject(args) ? args : {};
  if (typeof Bucket !== 'string' || typeof Prefix !== 'string') {
    throw new StatesError(
      errorName.resultWriterFailed,
      'ResultWriter.Arguments must have a Bucket, and a Prefix of text if any',
    );
  }
  const base = [Prefix.replace(/\/$/, ''), run.arn.slice(run.arn.lastIndexOf(':') + 1)]
    .filter((part) => part !== '')
    .join('/');
  const type = config?.OutputType ?? 'JSON';
  const children: ChildRecord[] = [];
  mapRuns.children(run.arn, (child) => void children.push({ ...child, events: [] }));
  const put = async (key: string, text: string): Promise<{ Key: string; Size: number }> => {
    try {
      await sdk.call('s3', 'putObject', { Bucket, Key: key, Body: text, ContentType: 'application/json' });
    } catch (error) {
      throw new StatesError(
        errorName.resultWriterFailed,
        error instanceof Error ? error.message : String(error),
      );
    }
    return { Key: key, Size: Buffer.byteLength(text) };
  };
  const file = async (name: 'SUCCEEDED' | 'FAILED', chosen: readonly ChildRecord[]): Promise<Json[]> => {
    if (chosen.length === 0) return [];
    const results = name === 'SUCCEEDED' ? transformed(chosen, config) : chosen.map(recordOf);
    const text =
      type === 'JSON'
        ? JSON.stringify(results)
        : results.map((result) => `${JSON.stringify(result)}\n`).join('');
    return [await put(`${base}/${name}_0.${type.toLowerCase()}`, text)];
  };
  const succeeded = children.filter(({ ended }) => ended.status === 'SUCCEEDED');
  const failed = children.filter(({ ended }) => ended.status !== 'SUCCEEDED');
  const manifest = {
    DestinationBucket: Bucket,
    MapRunArn: run.arn,
    ResultFiles: {
      FAILED: await file('FAILED', failed),
      PENDING: [],
      SUCCEEDED: await file('SUCCEEDED', succeeded),
    },
  };
  const { Key } = await put(`${base}/manifest.json`, JSON.stringify(manifest));
  return { result: { MapRunArn: run.arn, ResultWriterDetails: { Bucket, Key } }, written: children.length };
}

/** The children's results in the form the writer asks for: whole records, outputs, or outputs with arrays opened. */
export function transformed(children: readonly ChildRecord[], config: WriterConfig | undefined): Json[] {
  const kind = config?.Transformation ?? 'NONE';
  if (kind === 'NONE') return children.map(recordOf);
  const outputs = children.map(({ ended }) => (ended.output === undefined ? null : parseJson(ended.output)));
  return kind === 'COMPACT'
    ? outputs
    : outputs.flatMap((output) => (isJsonArray(output) ? output : [output]));
}

function recordOf({ arn, name, machineArn, startMs, input, ended }: ChildRecord): Json {
  const data =
    ended.output === undefined
      ? { Error: ended.error ?? '', Cause: ended.cause ?? '' }
      : { Output: ended.output, OutputDetails: { Included: true } };
  return {
    ExecutionArn: arn,
    Input: input,
    InputDetails: { Included: true },
    Name: name,
    ...data,
    RedriveCount: 0,
    StartDate: new Date(startMs).toISOString(),
    StateMachineArn: machineArn,
    Status: ended.status,
    StopDate: new Date(ended.stopMs).toISOString(),
  };
}
