import { limitsOf } from '../lab/bench/scale/function.ts';
import {
  billOf,
  imageSlicesUsd,
  instancesUsd,
  type Item,
  MEASURED,
  quotedMinutes,
  type Scenario,
  settingsFor,
  SHARD_INPUTS,
  timesOf,
  TORCHSERVE_LOG_BYTES,
} from '../lab/bench/scale-model.ts';

const WHAT_LIMITS: Readonly<Record<string, readonly [limit: string, setting: string]>> = {
  upload: [
    '3,500 PUTs a second below a new prefix; EventBridge’s and SQS’s quotas in small regions',
    'one message an object, up to 1,000 a batch',
  ],
  manifest: ['one LIST page of 1,000 keys takes about 0.1 s', 'SettleDrop resumes after 4 of its 5 minutes'],
  plan: ['the manifest is read twice, the label file once', 'one Lambda of 15 minutes'],
  transform: [
    'instances, and 500,000 objects or 2 quoted hours a job',
    'jobs in a row, one look at the outputs between two',
  ],
  reconcile: [
    'LISTs of inputs and outputs, parsed on one processor',
    'ReconcileOutputs resumes after 10 of its 15 minutes',
  ],
  fold: ['5,500 GETs a second from one prefix of S3', 'shards of 5,000 inputs, 128 reads in flight'],
  report: ['one Lambda merges all tallies', '16 read at once, one merged tally in memory'],
};

/** docs/scale.md, generated from the model. */
export function toScalePage(scenario: Scenario): string {
  const bill = billOf(scenario);
  const { seconds } = timesOf(scenario);
  const settings = settingsFor(scenario);
  const usdOf = (step: string): number => sum(bill.filter((item) => item.step === step));
  const runUsd = sum(bill.filter(({ step }) => step !== 'storage'));
  const steps = Object.entries(seconds).map(([step, time]) => {
    const [limit = '', setting = ''] = WHAT_LIMITS[step] ?? [];
    return [step, limit, setting, duration(time), usd(usdOf(step))];
  });
  const functions = Object.entries(MEASURED).map(([name, { cpuSeconds, peakMiB, basis }]) => {
    const { timeoutSeconds, cpuSeconds: limit, memoryMiB } = limitsOf(name);
    const resumes = name === 'settle-drop' || name === 'reconcile-outputs';
    return [
      name,
      whole(cpuSeconds),
      resumes ? `${whole(limit)} a call, resumes` : whole(limit),
      whole(timeoutSeconds),
      whole(peakMiB),
      whole(memoryMiB),
      basis,
    ];
  });
  const millions = whole(scenario.inputs / 1e6);
  return `# ${words(millions)} million images

Time and cost in AWS of a run of ${whole(scenario.inputs)} images of ${whole(scenario.inputBytes / 1_000)} kB, with outputs of ${whole(scenario.outputBytes / 1_000)} kB (1,000 classes), on
${scenario.instances} ${scenario.instanceType} at ${scenario.inputsPerSecond} images a second each. These are computed, not billed: \`node scripts/write-scale-page.ts\` generates this page from the limits
and prices (us-east-1, no free tier) in \`lab/bench/scale-model.ts\`. Change a number there for another drop.

${table(['step', 'what limits it', 'our setting', 'time', 'cost'], steps)}

The total is ${usd(runUsd)}, the events of files that expire (${usd(usdOf('expiry'))}) included, and ${usd(usdOf('storage'))} for storage until everything has expired.
At the rate that PlanRun quotes before it knows the model, the jobs take ${duration(quotedMinutes(scenario) * 60)} and their instances cost ${usd(instancesUsd(scenario, quotedMinutes(scenario)))} without their
starts. All of it assumes that every instance gets its part of the files, which \`inferdrop verify --spend\` tries (\`transform-instances\`).

## Settings that such a drop needs

\`\`\`json
${JSON.stringify(
  {
    drop: { maxWaitMinutes: settings.maxWaitMinutes },
    limits: { maxRuntimeMinutes: settings.maxRuntimeMinutes, maxCostUsd: settings.maxCostUsd },
    transform: { instanceTypes: [scenario.instanceType], instanceCount: scenario.instances },
  },
  null,
  2,
)}
\`\`\`

\`drop.maxWaitMinutes\` is 30 by default: at ${whole(scenario.uploadsPerSecond)} files a second the upload takes ${duration(seconds.upload)}, at the ${whole(100)} of a command line
${duration(scenario.inputs / 100)}. Where it is too short the drop becomes several runs; upload \`_READY\` last and set it to 10080 to be sure.
\`limits.maxRuntimeMinutes\` is 240 by default, and a job that still runs at 120 % of it is stopped with its outputs lost; \`limits.maxCostUsd\`
is 20, and no further job starts above it. PlanRun quotes ${whole(quotedMinutes(scenario))} minutes and ${usd(instancesUsd(scenario, quotedMinutes(scenario)))} for these inputs, by a rule of thumb that does not
depend on the model, and notes both in plan, report and message before the first instance starts. The limits above leave room for that and for the starts.

## The bill

${table(
  ['step', 'what', 'count', 'cost'],
  bill.map(({ step, what, count, usd: cost }) => [step, what, whole(count), usd(cost)]),
)}

- **Events.** EventBridge is on for the whole bucket and filters afterwards, so outputs send events too. The bucket is versioned: a file
  that expires sends one event for its delete marker and one for its version.
- **Storage** lasts for \`IncomingRetentionDays\` (${scenario.incomingRetentionDays}) and \`RunsRetentionDays\` (${scenario.runsRetentionDays}), and each time \`NoncurrentRetentionDays\` (${scenario.noncurrentRetentionDays}) more.
  \`RunsRetentionDays=30\` brings the storage of outputs from ${usd(stored(bill))} to ${usd(stored(billOf({ ...scenario, runsRetentionDays: 30 })))}.
- **Logs.** TensorFlow's container writes a line a request; TorchServe's about eight, ${usd((scenario.inputs * TORCHSERVE_LOG_BYTES * 0.5) / 1e9)} here. SageMaker keeps them for ever
  unless you [set a retention](operate.md#data).
- Two events a file that expires are certain; whether the removal of its expired marker sends a third (${usd(usdOf('expiry') / 2)} more), and what HEADs and LISTs
  SageMaker sends, only a bill tells.
- **Slices.** Folders, keys and columns of the label file cost nothing more. \`report.slices\` of images read each input once more: ${whole(scenario.inputs)} GETs, ${usd(imageSlicesUsd(scenario))},
  and as many more in flight in the fold.
- **A sample** of 2,000 inputs (\`sample\`) sends, reads and stores 2,000 of them; the upload, the manifest and the plan are those of all.
- **A rescore** costs the fold and the report again, and no transform: ${usd(usdOf('fold') + usdOf('report'))}.
- Not counted: KMS requests where \`kmsKeyArn\` is set without a bucket key, multipart uploads by SageMaker of outputs above its part size,
  traffic out of the region, and what the account has switched on for every bucket: CloudTrail's data events cost about $1 for each
  million requests, GuardDuty's protection of S3 about as much.

## Processor time and memory

Measured by \`npm run lab -- scale\`, which runs each use case in a process with its Lambda's heap, against an S3 over HTTP (no TLS) with
computed inputs and outputs. The last column is the size of the measurement.

${table(['function', 'CPU s', 'CPU s at most', 'time-out s', 'peak MiB', 'memory MB', 'seen at'], functions)}

## How the numbers are computed

**Manifest.** Listing is sequential. A line is about 160 bytes, the manifest ${gigabytes(scenario.inputs * 160)}, stored in slices that S3 itself joins.

**Transform.** A job has at most 500,000 objects, so that a stopped one loses no more; each start costs about 4 minutes of its instances.
\`limits.maxCostUsd\` ends the sequence between two jobs. One bad file fails a SageMaker job: then one look finds that it has outputs, and
the next job starts. All outputs are compared after the last one, and again if something was missing. A pilot of 20 inputs goes first: it
costs one start; with a model whose answers cannot be read, the run ends there.

**Tars.** Packed in tars of 10,000 members the same images cost no write, event or message each at the upload, and one write each ($5 a million) where the run
unpacks them. Sixteen tars are opened at a time.

**Fold.** S3 promises 3,500 writes and 5,500 reads a second from each partition of a prefix, and splits partitions only after minutes of load. A run's
outputs lie below one new prefix: 128 reads in flight over all Lambdas, at about 25 ms each, stay below. A shard holds its 5,000 lines (1 MB), its
rows (2 MB), its labels and 8 outputs; outputs with many records end a shard at 256 MB.

**A repetition of a fold** reads its outputs again: nothing is kept between two calls of a shard. It costs ${usd4(foldUsd(scenario))} in requests and Lambda and ${duration(shardSeconds(scenario))};
the six a shard may have cost ${usd4(6 * foldUsd(scenario))}, those of a report, which reads all tallies again, ${usd4(6 * reportUsd(bill))}. A checkpoint would save that, for one more
stored document. Before that, each request has ten attempts, and the SDK slows down where S3 refuses: of 1,500 reads, 96 in
flight, against the laptop's S3 limited to 30 a second, none failed; with three attempts and no slowing down 1,281 did. Smaller shards
(\`limits.inputsPerShard\`) lose less.

**State machine.** An execution may have 25,000 events; twenty jobs with growing waits make about 3,000. Payloads are references, far below 256 KiB.
`;
}

/** Cost of folding one shard. */
function foldUsd(scenario: Scenario): number {
  return (
    sum(billOf(scenario).filter(({ step }) => step === 'fold')) / Math.ceil(scenario.inputs / SHARD_INPUTS)
  );
}

/** Seconds from the first read of a shard to its last. */
function shardSeconds(scenario: Scenario): number {
  const { fold } = timesOf(scenario).seconds;
  return (fold * scenario.foldConcurrency) / Math.ceil(scenario.inputs / SHARD_INPUTS);
}

function reportUsd(bill: readonly Item[]): number {
  return sum(bill.filter(({ step }) => step === 'report'));
}

function stored(bill: readonly Item[]): number {
  return sum(bill.filter(({ what }) => what === 'GB-months of outputs'));
}

function sum(items: readonly Item[]): number {
  return items.reduce((total, item) => total + item.usd, 0);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function usd(value: number): string {
  return `$${value >= 100 ? whole(value) : value.toFixed(2)}`;
}

function usd4(value: number): string {
  return `$${value.toFixed(4)}`;
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${whole(seconds)} s`;
  return seconds < 7_200 ? `${whole(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}

function words(millions: string): string {
  return millions === '10' ? 'Ten' : millions;
}
