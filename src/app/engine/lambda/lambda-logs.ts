import * as z from 'zod';
import type { LogLine, MayRead } from '../../../aws/logs/log-events.ts';
import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { bucketLayout, listFolder } from '../../../run/bucket-layout.ts';
import { RunParts } from '../../../run/run-id.ts';
import { parsedJson } from '../../../text/parse-json.ts';
import { readBundleHead } from '../../outputs/bundle-head.ts';
import type { EngineLogs } from '../engine-logs.ts';

/** CloudWatch shows lines some seconds after they were written. */
const LATE_MS = 60_000;

/** A line that a handler has printed, as the function logs it. */
const HandlerLine = z.object({ message: z.object({ code: z.literal('HANDLER_LINE'), line: z.string() }) });

/** A line of the function: the handler's own words, or the function's as JSON. */
function toLine(text: string): { readonly source: string; readonly text: string } {
  const printed = HandlerLine.safeParse(parsedJson(text)).data;
  return printed === undefined
    ? { source: 'function', text }
    : { source: 'handler', text: printed.message.line };
}

/**
 * Logs of the function that predicts, which all runs share: the lines of a run are found by its name. Why inputs have
 * no answer stands with the answers, and what ran the model in the first line of each bundle.
 */
export function lambdaLogs({
  store,
  lines,
}: {
  readonly store: ObjectStore;
  readonly lines: (since: Date, mayRead?: MayRead) => AsyncIterable<LogLine>;
}): EngineLogs {
  return {
    async *all({ run, attempt, createdAt, startedAt = createdAt, endedAt }, since, mayRead) {
      const named = JSON.stringify(run);
      const isWhole = since === undefined || since <= new Date(createdAt);
      // Before the first job, the model was opened once, which ran the script's imports.
      const prepared =
        attempt === 1 && isWhole ? await store.describe(bucketLayout.plan(RunParts.parse(run))) : undefined;
      const from = prepared?.lastModified ?? since ?? new Date(startedAt);
      const end = endedAt === undefined ? Infinity : Date.parse(endedAt) + LATE_MS;
      for await (const { at, stream, text } of lines(from, mayRead)) {
        if (at.getTime() > end) return;
        if (text.includes(named)) yield { at, instance: stream, ...toLine(text) };
      }
    },
    async *failures() {},
    async runtimes({ run: id, input }) {
      const run = RunParts.parse(id);
      for await (const { key, size } of store.list(bucketLayout.listOutputs(run, listFolder(run, input)))) {
        const head = await readBundleHead(store, { output: key, outputBytes: size });
        if (head?.runtime !== undefined) return [head.runtime];
      }
      return [];
    },
  };
}
