import * as z from 'zod';
import type { LogLine } from '../../../aws/logs/log-events.ts';
import { parsedJson } from '../../../text/parse-json.ts';
import { toOutputKey } from '../../../transform/output-key.ts';
import type { Check } from '../check.ts';
import { CPU_INSTANCE, instanceUsd } from '../estimates.ts';
import { combineFindings, failed, type Finding, ok, warning } from '../finding.ts';
import { BROKEN, BROKEN_LOG, TEST_TYPES } from '../probe/handler.ts';
import { readJobLog, runTestJob } from '../probe/job.ts';

const NAMES = { broken: 'broken.txt', empty: 'empty.txt', large: 'large.bin' } as const;
/** A size between 1,000,000 bytes and 1,048,576. */
const LARGE_BYTES = 1_020_000;
const FILES: Readonly<Record<string, string>> = {
  'plain.txt': 'plain',
  'nested/deeper/file.txt': 'nested',
  'with space.txt': 'space',
  'plus+sign.txt': 'plus',
  'per%20cent.txt': 'percent',
  'grüße-日本.txt': 'letters',
  'rows.csv.gz': 'not really compressed',
  [NAMES.broken]: BROKEN,
  [NAMES.empty]: '',
  [NAMES.large]: 'x'.repeat(LARGE_BYTES),
};
/** Estimated hours of the job; most of it is start-up and not billed. */
const HOURS = 0.5;

/** One transform job over files with odd names, an empty, a refused and a large one. */
export const transformKeys: Check = {
  name: 'transform-keys',
  asks: 'What becomes of files with odd names, of an empty one and of one that the model refuses, in one transform job?',
  usd: (region) => instanceUsd(CPU_INSTANCE, region, HOURS),
  run: async (services) => {
    const job = await runTestJob(services, {
      purpose: 'keys',
      files: FILES,
      spec: { contentType: TEST_TYPES.facts, accept: 'application/json', maxConcurrentTransforms: 4 },
    });
    const lines = await readJobLog(services, job.name, (all) => all.some(isRefusal));
    return judgeTransformKeys({
      status: job.status,
      failureReason: job.failureReason,
      expected: Object.entries(FILES).map(([input, body]) => ({
        input,
        output: toOutputKey(input, { inputPrefix: '', outputPrefix: '' }),
        bytes: Buffer.byteLength(body),
      })),
      outputs: new Map(
        [...job.outputs].map(([key, text]) => [key, TestAnswer.safeParse(parsedJson(text)).data]),
      ),
      brokenCalls: lines.filter(isRefusal).length,
      streams: [...new Set(lines.map(({ stream }) => stream.slice(job.name.length + 1)))],
    });
  },
};

function isRefusal({ text }: LogLine): boolean {
  return text.trim() === BROKEN_LOG;
}

/** Answer of the test model's handler for one file. */
const TestAnswer = z.object({
  bytes: z.int(),
  environment: z.string().nullable(),
  /** Seconds since 1970, by the container's clock. */
  began: z.number(),
  ended: z.number(),
});
export type TestAnswer = z.infer<typeof TestAnswer>;

/** Outputs and logs of a job over files with odd names. */
export interface TransformKeyFacts {
  readonly status: string;
  readonly failureReason: string | undefined;
  /** Key of each input below its prefix, and of the output that the application expects. */
  readonly expected: readonly { readonly input: string; readonly output: string; readonly bytes: number }[];
  /** Keys of all outputs, and the handler's answers in them; undefined for an output that holds something else. */
  readonly outputs: ReadonlyMap<string, TestAnswer | undefined>;
  /** Number of requests for the broken file, by the handler's log; 0 where there is no log. */
  readonly brokenCalls: number;
  /** Names of the log streams, below the job's name. */
  readonly streams: readonly string[];
}

/** Whether SageMaker's names, outputs and retries are as the application assumes. */
export function judgeTransformKeys(facts: TransformKeyFacts): Finding {
  return combineFindings([
    judgeKeys(facts),
    judgeFailure(facts),
    judgeEmpty(facts),
    judgeEnvironment(facts),
    judgeConcurrency(facts),
    judgeLarge(facts),
    judgeRetries(facts),
  ]);
}

function judgeKeys({ expected, outputs }: TransformKeyFacts): Finding {
  const special = new Set(Object.values<string>(NAMES));
  const plain = expected.filter(({ input }) => !special.has(input));
  const missing = plain.filter(({ output }) => !outputs.has(output));
  const changed = plain.filter(
    ({ output, bytes }) => outputs.has(output) && outputs.get(output)?.bytes !== bytes,
  );
  const known = new Set(expected.map(({ output }) => output));
  const strange = [...outputs.keys()].filter((key) => !known.has(key));
  const answered = `${plain.length - missing.length} of ${plain.length} outputs have the expected key`;
  if (missing.length + strange.length + changed.length === 0)
    return ok(
      answered,
      'Folders, spaces, "+", "%", ".gz" and non-ASCII letters stay in the keys of outputs.',
    );
  return failed(
    `${answered}; missing: ${list(missing.map(({ input }) => input))}; not expected: ${list(strange)}; other bytes: ` +
      `${list(changed.map(({ input }) => input))}`,
    'Inputs with such keys would be reported as without a prediction, or end the run as OutputLayoutUnexpected: avoid ' +
      'such names, and report this file.',
  );
}

function judgeFailure({ status, failureReason, outputs, expected }: TransformKeyFacts): Finding {
  const answered = `a file that the model refuses: the job is ${status}${failureReason === undefined ? '' : ` (${failureReason})`}`;
  const broken = expected.find(({ input }) => input === NAMES.broken)?.output ?? '';
  if (outputs.has(broken))
    return failed(
      `${answered}, and the file has an output`,
      'A refused file would count as predicted. Report this file.',
    );
  if (outputs.size === 0)
    return failed(
      `${answered}, without any output`,
      'One bad file costs the predictions of its whole job, which the application then halves repeatedly. Report this file.',
    );
  if (status === 'Failed')
    return ok(answered, 'The outputs of the good files stay, as the application relies on.');
  return warning(
    answered,
    'The application compares outputs with inputs all the same, so that the file is found; the status was expected to be Failed.',
  );
}

function judgeEmpty({ outputs, expected }: TransformKeyFacts): Finding {
  const output = expected.find(({ input }) => input === NAMES.empty)?.output ?? '';
  const what = !outputs.has(output)
    ? 'no output'
    : outputs.get(output) === undefined
      ? 'an output without an answer'
      : 'an answer';
  return ok(
    `a file of 0 bytes has ${what}`,
    'The application sends no empty file, so that this does not matter.',
  );
}

function judgeEnvironment({ outputs }: TransformKeyFacts): Finding {
  const said = [...outputs.values()].find((answer) => answer !== undefined)?.environment;
  const answered = `a variable of both model and job has the value of the ${said ?? 'neither'}`;
  if (said === 'job') return ok(answered, "Variables of a job win over its model's.");
  return warning(
    answered,
    'A variable of both model.environment and the job has another value in AWS than on the laptop: set it once.',
  );
}

function judgeConcurrency({ outputs }: TransformKeyFacts): Finding {
  const times = [...outputs.values()]
    .filter((answer) => answer !== undefined)
    .sort((a, b) => a.began - b.began);
  const overlaps = times.some(({ began }, index) => times.slice(0, index).some(({ ended }) => began < ended));
  if (overlaps)
    return ok(
      'several files are sent at once',
      'maxConcurrentTransforms counts requests of one instance, across files.',
    );
  return warning(
    'one file is sent after the other',
    'maxConcurrentTransforms does not work across files, so that runs of small files take longer: raise transform.instanceCount.',
  );
}

function judgeLarge({ outputs, expected }: TransformKeyFacts): Finding {
  const output = expected.find(({ input }) => input === NAMES.large)?.output ?? '';
  return ok(
    `1,020,000 bytes ${outputs.has(output) ? 'fit into' : 'exceed'} a MaxPayloadInMB of 1`,
    'The application counts 1,000,000 bytes a MB, which is safe both ways.',
  );
}

function judgeRetries({ brokenCalls, streams }: TransformKeyFacts): Finding {
  const logs = streams.length === 0 ? 'no log of the job yet' : `log streams ${list(streams)}`;
  if (brokenCalls === 0)
    return warning(
      logs,
      'How often a failed request is sent again could not be read: the log was not there in time. Verify again, or ' +
        'read the log group /aws/sagemaker/TransformJobs.',
    );
  const answered = `a request that the model answered with 500 was sent ${brokenCalls} times with InvocationsMaxRetries 1; ${logs}`;
  if (brokenCalls === 2)
    return ok(answered, 'transform.invocationsMaxRetries works for errors of the model.');
  return warning(
    answered,
    'transform.invocationsMaxRetries has no effect on errors of the model; the next attempt of the run sends the file again.',
  );
}

function list(texts: readonly string[]): string {
  return texts.length === 0 ? 'none' : texts.map((text) => JSON.stringify(text)).join(', ');
}
