import { readFileSync } from 'node:fs';
import { parseJobConfig, parsePipelineConfig } from '../../../src/pipeline/parse-config.ts';
import { mutateBytes, mutateJson } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';

const EXAMPLES = ['fashion-mnist', 'cifar10', 'pytorch-fashion-mnist'].map((name) =>
  readFileSync(new URL(`../../../examples/${name}/pipeline.json`, import.meta.url), 'utf8'),
);
const JOB = JSON.stringify({
  input: { s3Prefix: 's3://bucket/shared/images/' },
  transform: {
    contentType: 'text/csv',
    splitType: 'Line',
    batchStrategy: 'MultiRecord',
    maxPayloadInMB: 6,
    inputFilter: '$[1:]',
  },
  labels: { truth: { from: 'key', pattern: '([a-z]+)\\.png$' } },
  limits: { maxCostUsd: 1, maxFiles: 10 },
  gate: { minAccuracy: 0.9 },
  drop: { quietSeconds: 5 },
});

interface File {
  readonly kind: 'job' | 'pipeline';
  readonly text: string;
}

/** `pipeline.json` and `job.json`: every problem has a file, a field and words, in a bounded number. */
export function open(): FuzzTarget<File> {
  return {
    name: 'configuration',
    seeds: [
      ...EXAMPLES.map((text) => ({ kind: 'pipeline', text }) as const),
      { kind: 'job', text: JOB },
      { kind: 'job', text: '{}' },
    ],
    mutate: ({ kind, text }, chance) =>
      chance.happens(0.7)
        ? { kind, text: JSON.stringify(mutateJson(JSON.parse(text), chance)) }
        : { kind, text: mutateBytes(Buffer.from(text), chance).toString() },
    judge({ kind, text }) {
      const { problems } = kind === 'job' ? parseJobConfig(text) : parsePipelineConfig(text);
      const vague = problems.find(({ message }) => message.length < 8 || message.length > 5_000);
      if (vague) return `a problem of ${vague.message.length} characters: ${vague.message.slice(0, 200)}`;
      if (Object.getOwnPropertyNames(Object.prototype).length !== MEMBERS) return 'changed Object.prototype';
      return problems.length > 500 ? `${problems.length} problems` : undefined;
    },
  };
}

const MEMBERS = Object.getOwnPropertyNames(Object.prototype).length;
