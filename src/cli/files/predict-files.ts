import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { PredictAnswer, Problem } from '../../api/api-schemas.ts';
import { MAX_BODY_BYTES } from '../../api/limits.ts';
import { requestType } from '../../api/request-type.ts';
import { callApi } from '../../aws/calls/call-api.ts';
import { plural } from '../../text/figures.ts';
import { quoted } from '../../text/shell-quoted.ts';
import type { Application } from '../application.ts';
import { Refusal } from '../refusal.ts';
import { readFailure } from './file-problem.ts';

/** The API's answer for one file. */
export interface FileAnswer {
  readonly file: string;
  readonly answer: PredictAnswer;
}

/** An answer of the API without predictions. */
export class PredictionRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Whoever waits for an endpoint that wakes. */
export interface Waiting {
  /** Shows that it is waited for, or that it is no more. */
  readonly status: (line: string) => void;
  readonly pause: (ms: number) => Promise<unknown>;
}

/** An instance, the download of a model and its container take minutes; a large model up to an hour, for which no terminal waits. */
const LONGEST_WAIT_SECONDS = 20 * 60;

/**
 * API Gateway refuses without `Retry-After` where the account has no function free, as while a run takes them all. Its refusal of a
 * request that took too long looks the same, but for the time that it took, and is not repeated.
 */
const BUSY = {
  statuses: [429, 503],
  answerWithinMs: 20_000,
  pauseSeconds: 5,
  longestWaitSeconds: 60,
} as const;

/** Sends a file to the prediction API, as bytes and under the type of its extension. An endpoint that wakes is waited for. */
export async function predictFile(
  { apiUrl }: Pick<Application, 'apiUrl'>,
  pipeline: string,
  file: string,
  waiting?: Waiting,
): Promise<FileAnswer> {
  const body = await readBody(pipeline, file);
  return { file, answer: await predictBody({ apiUrl }, pipeline, body, waiting) };
}

/** Sends a body to the prediction API. */
export async function predictBody(
  { apiUrl }: Pick<Application, 'apiUrl'>,
  pipeline: string,
  body: RequestBody,
  waiting?: Waiting,
): Promise<PredictAnswer> {
  const response = await post(apiUrl, pipeline, body, { query: '', waiting });
  return PredictAnswer.parse(await response.json());
}

/** The container's own answer for a file. */
export async function predictRaw(
  { apiUrl }: Pick<Application, 'apiUrl'>,
  pipeline: string,
  file: string,
  waiting?: Waiting,
): Promise<Uint8Array> {
  const response = await post(apiUrl, pipeline, await readBody(pipeline, file), { query: '?raw=1', waiting });
  return new Uint8Array(await response.arrayBuffer());
}

/** A file that is sent, or records of one. */
interface RequestBody {
  /** Its name for people. */
  readonly file: string;
  readonly type: string;
  readonly body: Uint8Array;
}

async function readBody(pipeline: string, file: string): Promise<RequestBody> {
  const body = await readFile(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EISDIR')
      throw new Refusal(
        `${file} is a folder: name files of it, or predict all of them with inferdrop drop ${quoted(file)} --pipeline ${pipeline}`,
      );
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new Refusal(`${file} does not exist`);
    throw new Refusal(`${file} cannot be read: ${readFailure(error)}`);
  });
  if (body.length > MAX_BODY_BYTES)
    throw new Refusal(
      `${file} has ${body.length} bytes, and the API takes at most ${MAX_BODY_BYTES}: inferdrop drop takes larger files`,
    );
  return { file, type: requestType(file), body };
}

async function post(
  apiUrl: string,
  pipeline: string,
  { file, type, body }: RequestBody,
  { query, waiting }: { readonly query: string; readonly waiting: Waiting | undefined },
): Promise<Response> {
  for (let waited = 0; ;) {
    const askedMs = performance.now();
    const response = await callApi({
      method: 'POST',
      url: new URL(`${apiUrl.replace(/\/$/, '')}/predict/${encodeURIComponent(pipeline)}${query}`),
      headers: { 'content-type': type },
      body,
    });
    if (response.ok) return response;
    const { status } = response;
    const reason = toReason(status, await response.text());
    const pause = pauseAfter(response, performance.now() - askedMs);
    if (pause === undefined || waiting === undefined)
      throw new PredictionRefused(status, `${file}: ${reason}`);
    const { seconds, longestWaitSeconds } = pause;
    if (waited + seconds > longestWaitSeconds)
      throw new PredictionRefused(
        status,
        `${file}: no answer after ${plural(Math.round(waited / 60), 'minute')}: ${reason}. See inferdrop endpoints, ` +
          `and inferdrop endpoints logs ${quoted(pipeline)}`,
      );
    waiting.status(`  ${reason}; asked again in ${seconds} s, waited ${waited} s so far`);
    await waiting.pause(seconds * 1000);
    waited += seconds;
  }
}

/** The pause after which a refused request is sent again; undefined if repeating it is of no use. */
function pauseAfter(
  { status, headers }: Response,
  tookMs: number,
): { readonly seconds: number; readonly longestWaitSeconds: number } | undefined {
  const seconds = Number(headers.get('retry-after') ?? 0);
  if (status === 503 && seconds > 0) return { seconds, longestWaitSeconds: LONGEST_WAIT_SECONDS };
  const isBusy = BUSY.statuses.some((one) => one === status) && tookMs < BUSY.answerWithinMs;
  return isBusy ? { seconds: BUSY.pauseSeconds, longestWaitSeconds: BUSY.longestWaitSeconds } : undefined;
}

const RefusalBody = z.union([Problem, z.object({ message: z.string().nullable() })]);

function toReason(status: number, text: string): string {
  try {
    const refusal = RefusalBody.parse(JSON.parse(text));
    return 'detail' in refusal ? `${refusal.title}: ${refusal.detail}` : `${status} ${refusal.message ?? ''}`;
  } catch {
    return `${status} ${text.slice(0, 500)}`;
  }
}
