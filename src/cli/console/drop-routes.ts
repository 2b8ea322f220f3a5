import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import type { LabelQuestion } from '../../api/console/label-preview.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import { findOpenGeneration } from '../../app/run/list-drop-state.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { kindOf } from '../../drop/drop-key.ts';
import { isHidden } from '../../file-kind/hidden-name.ts';
import { parseJobConfig } from '../../pipeline/parse-config.ts';
import { dropNameProblems } from '../../plan/judge/judge-configuration.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type DropParts, evaluationOf, isPipelineName, toRunId } from '../../run/run-id.ts';
import { parsedJson } from '../../text/parse-json.ts';
import { requireKnownPipeline } from '../known-pipeline.ts';
import { sendJson } from './answer.ts';
import { labelPreview } from './label-preview.ts';
import { readBody } from './read-body.ts';
import { type Asked, type Route, route } from './route.ts';

/** Larger files are stored in parts, so that they are never in memory as a whole. */
const WHOLE_UP_TO_BYTES = 8 * 1024 * 1024;
const MAX_JOB_BYTES = 64 * 1024;
const MAX_QUESTION_BYTES = 32 * 1024 * 1024;

const Question: z.ZodType<LabelQuestion> = z.object({
  names: z.array(z.string()),
  of: z.int().nonnegative(),
  labelFiles: z.array(z.object({ name: z.string(), head: z.base64(), size: z.int().nonnegative() })),
  tables: z.array(z.object({ name: z.string(), head: z.base64(), size: z.int().nonnegative() })),
  job: z.string().max(MAX_JOB_BYTES),
});

/** Addresses by which a page uploads a drop: its files one by one, then the mark that it is complete. */
export function dropRoutes(store: ObjectStore): readonly Route[] {
  return [
    route('PUT', '/api/drops/:pipeline/:drop/:path', async ({ parts, incoming, response }) => {
      const key = bucketLayout.dropFolder(toDrop(parts)) + toPath(parts);
      const size = Number(incoming.headers['content-length'] ?? NaN);
      if (size <= WHOLE_UP_TO_BYTES) await store.write(key, await buffer(incoming));
      else await store.writeStream(key, incoming);
      sendJson(response, { key }, 201);
    }),
    route('GET', '/api/drops/:pipeline/:drop', async ({ parts, response }) => {
      const folder = bucketLayout.dropFolder(toDrop(parts));
      const files: { readonly path: string; readonly size: number; readonly at: string }[] = [];
      for await (const { key, size, lastModified } of store.list(folder))
        files.push({ path: key.slice(folder.length), size, at: lastModified.toISOString() });
      sendJson(response, { files });
    }),
    route('POST', '/api/drops/:pipeline/:drop/labels', async ({ parts, incoming, response }) => {
      const drop = toDrop(parts);
      await requireKnownPipeline(store, drop.pipeline);
      const asked = Question.safeParse(parsedJson(await readBody(incoming, MAX_QUESTION_BYTES)));
      if (!asked.success)
        throw new RequestProblem('invalid-request', `the body must be JSON: ${z.prettifyError(asked.error)}`);
      sendJson(response, (await labelPreview(store, drop, asked.data)) ?? {});
    }),
    route('POST', '/api/drops/:pipeline/:drop', async (asked) => {
      const drop = toDrop(asked.parts);
      await requireKnownPipeline(store, drop.pipeline);
      const job = await readJob(asked);
      if (job.problems.length > 0)
        return sendJson(
          asked.response,
          { kind: 'wrong-job', detail: 'job.json has problems', problems: job.problems },
          400,
        );
      // A look before the upload changes nothing.
      if (asked.query.get('check') === '1') return sendJson(asked.response, {});
      const generation = await findOpenGeneration(store, drop);
      const folder = bucketLayout.dropFolder(drop);
      if (job.text !== undefined) await store.write(`${folder}job.json`, job.text);
      if (asked.query.get('wait') !== '1') await store.write(`${folder}_READY`, '');
      sendJson(asked.response, { run: toRunId({ ...drop, generation }) }, 202);
    }),
  ];
}

function toDrop({ pipeline = '', drop = '' }: Readonly<Record<string, string>>): DropParts {
  const wrong = isPipelineName(pipeline)
    ? dropNameProblems(drop)[0]?.message
    : `names no pipeline: ${pipeline}`;
  const isOne = drop !== '' && !drop.includes('/') && evaluationOf(drop) === undefined;
  if (wrong !== undefined || !isOne)
    throw new RequestProblem(
      'invalid-request',
      `the name of a drop ${wrong ?? `must be one part of a path that does not begin with @, is ${drop}`}`,
    );
  return { kind: 'inference', pipeline, drop };
}

/** A path below the drop that is an input, or one of their companion files; the mark of completeness is written last, separately. */
function toPath({ path = '' }: Readonly<Record<string, string>>): string {
  if (path.startsWith('/') || path.split('/').includes('..') || kindOf(path, 'inference') === 'mark')
    throw new RequestProblem('invalid-request', `${path} cannot be the name of a file of a drop`);
  if (isHidden(path))
    throw new RequestProblem('invalid-request', `${path} is hidden, and hidden files never reach a model`);
  return path;
}

/** The settings of the drop, judged as its run will judge them. */
async function readJob({
  incoming,
}: Asked): Promise<{ readonly text?: string; readonly problems: readonly unknown[] }> {
  const text = await readBody(incoming, MAX_JOB_BYTES);
  if (text === '') return { problems: [] };
  return { text, problems: parseJobConfig(text).problems };
}
