import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Stack, startStack } from '@inferdrop/laptop';
import { rawS3 } from '../../packages/laptop/test/support/raw-s3.ts';

/** The whole laptop stack, without the application, that a target sends requests to. */
export interface StackUnderFire {
  readonly stack: Stack;
  /** Answers of the stack that are outside of AWS's own models. */
  readonly badAnswers: string[];
  close(): Promise<void>;
}

/** A bucket with an object in it, so that some requests find something. */
export async function stackUnderFire(): Promise<StackUnderFire> {
  const dir = await mkdtemp(path.join(tmpdir(), 'fuzz-stack-'));
  const badAnswers: string[] = [];
  const stack = await startStack({
    port: 0,
    dir,
    credentials: { test: 'test' },
    onProblem: () => undefined,
    onBadAnswer(problem) {
      // The models state lengths for requests; AWS answers empty lists where nothing is there.
      if (!problem.includes('must have length')) badAnswers.push(problem);
    },
  });
  await rawS3(stack.endpoint, { method: 'PUT', path: '/bucket' });
  await rawS3(stack.endpoint, { method: 'PUT', path: '/bucket/key', body: Buffer.from('object') });
  return {
    stack,
    badAnswers,
    async close() {
      await stack.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Why a client cannot rely on an answer: an internal failure, or an error without a code and words; undefined if it can. */
export function whyBadAnswer(status: number, body: string): string | undefined {
  // What AWS names so: not emulated, throttled.
  if (status >= 500 && status !== 501 && status !== 503) return `answered ${status}: ${body.slice(0, 800)}`;
  if (body.includes('InternalFailure')) return `answered ${status}: ${body.slice(0, 800)}`;
  return undefined;
}
