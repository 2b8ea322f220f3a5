import { parsedJson } from '../../../text/parsed-json.ts';
import { toOutputKey } from '../../../transform/output-key.ts';
import { CPU_INSTANCE, instanceUsd } from '../../../verify/estimates.ts';
import { BROKEN, BROKEN_LOG, TEST_TYPES } from '../../../verify/test-handler.ts';
import { judgeTransformKeys, TestAnswer } from '../../../verify/transform-keys.ts';
import type { Check, VerifyServices } from '../check.ts';
import { runTestJob } from '../test-job.ts';

const NAMES = { broken: 'broken.txt', empty: 'empty.txt', large: 'large.bin' } as const;
/** Between 1,000,000 bytes and 1,048,576. */
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
/** Half an hour, most of which is start-up and not billed. */
const HOURS = 0.5;
const LOG_LOOKS = 12;
const LOG_PAUSE_MS = 5_000;

/** One transform job over files with odd names, an empty, a refused and a large one. */
export const transformKeys: Check = {
  name: 'transform-keys',
  asks: 'What becomes of files with odd names, of an empty one and of one that the model refuses, in one transform job?',
  usd: (region) => instanceUsd(CPU_INSTANCE, region, HOURS),
  run: async (services) => {
    const job = await runTestJob(services, {
      purpose: 'keys',
      files: FILES,
      spec: {
        contentType: TEST_TYPES.facts,
        accept: 'application/json',
        splitType: 'None',
        assembleWith: 'None',
        maxPayloadInMB: 1,
        maxConcurrentTransforms: 4,
      },
    });
    const { lines, streams } = await readLog(services, job.name);
    return judgeTransformKeys({
      status: job.status,
      failureReason: job.failureReason,
      expected: Object.entries(FILES).map(([input, body]) => ({
        input,
        output: toOutputKey(input, { inputPrefix: '', outputPrefix: '' }),
        bytes: Buffer.byteLength(body),
      })),
      outputs: new Map([...job.outputs].map(([key, text]) => [key, toAnswer(text)])),
      names: NAMES,
      brokenCalls: lines.filter((line) => line.trim() === BROKEN_LOG).length,
      streams,
    });
  },
};

function toAnswer(text: string): TestAnswer | undefined {
  return TestAnswer.safeParse(parsedJson(text)).data;
}

/** Logs come late: looks again until the refused file is in it. */
async function readLog(
  { jobLogs, wait, stack }: Pick<VerifyServices, 'jobLogs' | 'wait' | 'stack'>,
  job: string,
): Promise<{ readonly lines: readonly string[]; readonly streams: readonly string[] }> {
  for (let look = 1; ; look++) {
    const found = await Array.fromAsync(jobLogs.all(job));
    const lines = found.map(({ text }) => text);
    const streams = [...new Set(found.map(({ stream }) => stream.slice(job.length + 1)))];
    const isThere = lines.some((line) => line.includes(BROKEN_LOG));
    if (isThere || look === LOG_LOOKS || !stack.isAws) return { lines, streams };
    await wait(LOG_PAUSE_MS);
  }
}
