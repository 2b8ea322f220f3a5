import { isJsonObject, type Json, type JsonObject, parseJson } from '../json.ts';
import { PAYLOAD_LIMIT_BYTES } from '../payload.ts';
import { errorName, StatesError } from '../states-error.ts';
import type { ChildRecord, MapRun, MapRuns } from '../store/map-runs.ts';
import type { MapObjects } from './map-objects.ts';

/**
 * Writes what the children gave to S3, with a manifest, and gives the state's result.
 *
 * @throws {StatesError} `States.ResultWriterFailed`
 */
export async function writeResults(
  objects: MapObjects,
  mapRuns: MapRuns,
  run: MapRun,
  args: Json,
): Promise<{ readonly result: JsonObject; readonly written: number }> {
  const { Bucket, Prefix = '' } = isJsonObject(args) ? args : {};
  if (typeof Bucket !== 'string' || typeof Prefix !== 'string')
    throw new StatesError(
      errorName.resultWriterFailed,
      'ResultWriter.Arguments must have a Bucket, and a Prefix of text if any',
    );
  const base = [Prefix.replace(/\/$/, ''), run.arn.slice(run.arn.lastIndexOf(':') + 1)]
    .filter((part) => part !== '')
    .join('/');
  const children: ChildRecord[] = [];
  mapRuns.children(run.arn, (child) => void children.push({ ...child, events: [] }));
  const put = async (key: string, text: string): Promise<{ Key: string; Size: number }> => {
    try {
      await objects.write(Bucket, key, text);
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
    return [await put(`${base}/${name}_0.json`, JSON.stringify(chosen.map(recordOf)))];
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

/** Outputs of children, kept only as long as they can still become one result. */
export class ChildOutputs {
  private readonly texts = new Map<number, string>();
  private bytes = 2;

  add(index: number, text: string): void {
    this.bytes += Buffer.byteLength(text) + 1;
    if (this.bytes - 1 > PAYLOAD_LIMIT_BYTES) this.texts.clear();
    else this.texts.set(index, text);
  }

  /** @throws {StatesError} `States.DataLimitExceeded` if they are too many for a result */
  inOrder(stateName: string): Json {
    if (this.bytes - 1 > PAYLOAD_LIMIT_BYTES) {
      const cause =
        `The state/task '${stateName}' returned a result with a size exceeding the maximum number of bytes service ` +
        'limit. Use a ResultWriter.';
      throw new StatesError(errorName.dataLimitExceeded, cause);
    }
    return [...this.texts].sort(([a], [b]) => a - b).map(([, text]) => parseJson(text));
  }
}
