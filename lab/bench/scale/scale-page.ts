import {
  billOf,
  type Form,
  imageSlicesUsd,
  instancesUsd,
  PHOTOGRAPHS,
  quotedMinutes,
  type Scenario,
  settingsFor,
  sizesOf,
  slowest,
  SMALL,
  timesOf,
  TORCHSERVE_LOG_BYTES,
} from '../scale-model.ts';
import { limitsOf } from './function.ts';
import { COUNTED, GFLOPS, MEASURED, PREDICTING } from './measured.ts';

/** Columns of the page: an engine, and the form of the drop. */
interface Way {
  readonly name: string;
  readonly scenario: Scenario;
}

const FORMS: Readonly<Record<Form, string>> = {
  objects: 'single objects',
  bundles: 'single objects, bundled by the run',
  tars: 'tars',
};

/** The ways of a drop: engine lambda bundles what it is sent, and SageMaker's photographs are too large to gain by it. */
function waysOf(drop: Scenario): Way[] {
  const way = (engine: Scenario['engine'], form: Form): Way => ({
    name: `${engine}, ${FORMS[form]}`,
    scenario: { ...drop, engine, form },
  });
  return [
    way('sagemaker', 'objects'),
    ...(sizesOf({ ...drop, form: 'bundles' }).writesBundles ? [way('sagemaker', 'bundles')] : []),
    way('sagemaker', 'tars'),
    way('lambda', 'objects'),
    way('lambda', 'tars'),
  ];
}

const WHAT_LIMITS: Readonly<Record<string, string>> = {
  upload: '3,500 PUTs a second below a new prefix; EventBridge’s and SQS’s quotas in small regions',
  manifest: 'one LIST page of 1,000 keys takes about 0.1 s',
  tars: 'one processor a tar; 3,500 PUTs a second where members are written as objects',
  plan: 'the manifest is read twice, the label file once',
  bundle: '5,500 GETs a second',
  transform: 'instances and the starts of jobs; functions, or 5,500 GETs a second',
  reconcile: 'LISTs of inputs and outputs, parsed on one processor',
  fold: '5,500 GETs a second; of bundles, JSON',
  report: 'one Lambda merges all tallies',
};

/** docs/scale.md, generated from the model. */
export function toScalePage(): string {
  const [small, photographs] = [waysOf(SMALL), waysOf(PHOTOGRAPHS)];
  const [first] = photographs;
  const photos = slowest(first?.scenario ?? PHOTOGRAPHS);
  const settings = settingsFor(photos);
  const seconds = timesOf(photos);
  const counted = COUNTED.map(({ inputs, mapItems, longestItem, longestState, events, ...calls }) => [
    ...[inputs, mapItems, longestItem, longestState, events].map(whole),
    ...Object.values(calls).map(([seconds, peakMiB]) => `${seconds} s, ${peakMiB} MiB`),
  ]);
  const functions = Object.entries(MEASURED).map(([name, { cpuSeconds, peakMiB, basis }]) => {
    const { timeoutSeconds, cpuSeconds: limit, memoryMiB } = limitsOf(name.split(' ')[0] ?? '');
    const resumes = name.startsWith('settle-drop') || name.startsWith('reconcile-outputs');
    return [
      name,
      decimal(cpuSeconds),
      resumes ? `${whole(limit)} a call, resumes` : whole(limit),
      whole(timeoutSeconds),
      whole(peakMiB),
      whole(memoryMiB),
      basis,
    ];
  });
  const times = Object.keys(seconds).map((step) => [
    step,
    WHAT_LIMITS[step] ?? '',
    ...small.map((way) => {
      const time = (scenario: Scenario): number =>
        Object.entries(timesOf(scenario)).find(([name]) => name === step)?.[1] ?? 0;
      return time(way.scenario) === 0 ? '–' : range(way, time, duration);
    }),
  ]);
  return `# Ten million images

What a run of ${whole(SMALL.inputs)} images costs and takes in AWS, all counted. Computed, not billed: \`npm run generate\`
generates this page from \`lab/bench/scale-model.ts\`, which has the numbers of the code and the prices of us-east-1 without free tiers. Change a
number there for another drop.

**Small images** of ${whole(SMALL.inputBytes / 1_000)} kB, ${whole(PREDICTING.networks.cnn.classes)} classes, ${PREDICTING.networks.cnn.name}; SageMaker with ${SMALL.instances} ${SMALL.instanceType}, Lambda with ${SMALL.predictConcurrency} functions at once:

${headline(small)}

**Photographs** of ${whole(PHOTOGRAPHS.inputBytes / 1_000)} kB, ${whole(PREDICTING.networks.resnet50.classes)} classes, ${PREDICTING.networks.resnet50.name}; ${PHOTOGRAPHS.instances} ${PHOTOGRAPHS.instanceType}, or ${PHOTOGRAPHS.predictConcurrency} functions at once (\`PredictConcurrency\`; a new account has 10):

${headline(photographs)}

Computing is instances, and the GB-seconds of the function that predicts. Storage lasts until everything has expired. That each instance gets its part of
the files, \`inferdrop verify --spend\` tries (\`transform-instances\`).

**Rates are assumed, so two numbers are the bounds.** AWS doesn't say which processors Lambda has, and nothing of this page was measured on them. On the x86-64 core of
these measurements ResNet-50 (${GFLOPS.ofResnet50} GFLOP an image) takes ${PREDICTING.networks.resnet50.cpuSeconds} s. A core of Graviton3 or 4 needs at least ${(GFLOPS.ofResnet50 / GFLOPS.fastest).toFixed(3)} s at its peak of ${GFLOPS.fastest} GFLOP/s, one of Graviton2 about
${(GFLOPS.ofResnet50 / GFLOPS.slowest).toFixed(2)} s at ${GFLOPS.slowest}, which is 65 % of its peak. Everything that predict-shard computes is multiplied by the same ratios. An instance is assumed to answer ${SMALL.inputsPerSecond} small
images a second (in bundles ${PREDICTING.bundledGain} times as many, as measured on a laptop), or ${PHOTOGRAPHS.slowestPerSecond} to ${PHOTOGRAPHS.inputsPerSecond} photographs. Decoding JPEGs, which the measured images did not need, comes on top. \`inferdrop probe\` and each run measure your own model's rate.

Tars save the events and messages of the upload. Bundles and engine lambda read members where they lie in their tar; single requests need each
written as an object ($5 a million).

## The bill of small images

${billTable(small)}

## The bill of photographs

${billTable(photographs)}

- **Events.** EventBridge is on for the whole bucket and filters afterwards, so all that a run writes sends events. The bucket is versioned: an object
  that expires sends one event for its delete marker and one for its version. Whether the removal of its expired marker sends a third, and what HEADs
  and LISTs SageMaker sends, only a bill tells.
- **Storage** lasts for \`IncomingRetentionDays\` (${SMALL.incomingRetentionDays}) and \`RunsRetentionDays\` (${SMALL.runsRetentionDays}), and each time \`NoncurrentRetentionDays\` (${SMALL.noncurrentRetentionDays}) more; of bundles of inputs and
  unpacked members for \`StagedRetentionDays\` (${SMALL.stagedRetentionDays}) and a day.
  \`RunsRetentionDays=30\` brings the storage of answers of photographs from ${usd(answers(photos))} to ${usd(answers({ ...photos, runsRetentionDays: 30 }))}.
- **Logs.** TensorFlow's container writes a line a request; TorchServe's about eight, ${usd((photos.inputs * TORCHSERVE_LOG_BYTES * 0.5) / 1e9)} for single objects. SageMaker keeps them for ever
  unless you [set a retention](operate.md#data).
- **Slices.** \`report.slices\` of images read each input once more: ${usd(imageSlicesUsd(photos))}. **A sample** sends, reads and stores only its own inputs; upload,
  manifest and plan cost as much as for all. **A rescore** costs fold and report again.
- Not counted: KMS requests if \`kmsKeyArn\` is set without a bucket key, multipart uploads by SageMaker, traffic out of the region, and
  what the account has switched on for every bucket: CloudTrail's data events cost about $1 for each million requests, GuardDuty's protection of S3 about as much.

## Time of small images

${table(['step', 'what limits it', ...small.map(({ name }) => name)], times)}

## Settings of the photographs with SageMaker

\`\`\`json
${JSON.stringify(
  {
    drop: { maxWaitMinutes: settings.maxWaitMinutes },
    limits: { maxRuntimeMinutes: settings.maxRuntimeMinutes, maxCostUsd: settings.maxCostUsd },
    transform: { instanceTypes: [photos.instanceType], instanceCount: photos.instances },
  },
  null,
  2,
)}
\`\`\`

\`drop.maxWaitMinutes\` is 30 by default: at ${whole(photos.uploadsPerSecond)} files a second the upload takes ${duration(seconds.upload)}, at the ${whole(100)} of a command line
${duration(photos.inputs / 100)}. If it's too short, the drop becomes several runs; upload \`_READY\` last and set it to 10080 to be sure.
A job that still runs at 120 % of \`limits.maxRuntimeMinutes\` (240) is stopped with its outputs lost; above \`limits.maxCostUsd\` (20) no further job
starts. Before it knows the model, PlanRun quotes ${whole(quotedMinutes(photos))} minutes and ${usd(instancesUsd(photos, quotedMinutes(photos)))} by a rule of thumb; the limits leave room for that and for the starts.

## Processor time and memory

Measured by \`npm run lab -- scale\`, which runs each use case in a process with its Lambda's heap, against an S3 over HTTP (no TLS) with
computed inputs and outputs. CPU seconds are for ten million inputs, or for one shard (fold-predictions).

${table(['function', 'CPU s', 'CPU s at most', 'time-out s', 'peak MiB', 'memory MB', 'seen at'], functions)}

Of a run of members of tars for engine lambda, the same program counts what must not grow (with a network that takes no time, a longest call of each
function): the answers and inputs of states in bytes, the items of maps, and the events of the run's execution without its looks at jobs, which are 18,000 at most.

${table(['inputs', 'map items', 'longest item', 'longest state', 'events', 'plan-run', 'predict-shard', 'check-transform', 'reconcile-outputs', 'fold-predictions', 'write-report'], counted)}

No call of predict-shard works above five minutes: one that has no more time hands the rest of its bundle on.

## How the numbers are computed

**Requests.** S3 answers a small read in about 25 ms and a write in 30, and takes 5,500 and 3,500 a second below one new prefix, which it splits only after minutes of
load. A function that predicts has 16 reads in flight, one that bundles or unpacks 32: they wait for S3, and their memory is paid meanwhile. A fold has 128 reads in
flight over all Lambdas. A shard of 5,000 holds its lines (1 MB), its rows (2 MB), its labels and 8 outputs.

**Transform.** A SageMaker job has at most 500,000 inputs, so that a stopped one loses no more; each start costs about 4 minutes of its instances. A pilot
of 20 inputs goes first. A bundle of engine lambda has ${whole(sizesOf({ ...SMALL, engine: 'lambda' }).ofBundle ?? 0)} inputs, one of SageMaker ${whole(sizesOf({ ...SMALL, form: 'bundles' }).ofBundle ?? 0)}, or 2 MB.

**Repetitions.** A fold of a shard that is repeated reads its outputs again. Before that, each request has ten attempts, and the SDK slows down when
S3 refuses: of 1,500 reads, 96 in flight, against the laptop's S3 limited to 30 a second, none failed; with three attempts and no slowing down 1,281 did.

**State machine.** An execution may have 25,000 events; twenty jobs with growing waits make about 3,000. Payloads are references, far below 256 KiB.
`;
}

function headline(ways: readonly Way[]): string {
  const total = (scenario: Scenario): number => sum(billOf(scenario), () => true);
  const storage = (scenario: Scenario): number => sum(billOf(scenario), ({ step }) => step === 'storage');
  const computing = (scenario: Scenario): number =>
    sum(billOf(scenario), ({ what }) => /^hours of|GB-seconds of predict-shard/.test(what));
  const rest = (scenario: Scenario): number => total(scenario) - computing(scenario) - storage(scenario);
  const hours = (scenario: Scenario): number =>
    Object.values(timesOf(scenario)).reduce((all, time) => all + time, 0) / 3_600;
  return table(
    ['way', '$ a million', 'computing', 'requests, events, the rest', 'storage', 'all ten million', 'hours'],
    ways.map((way) => [
      way.name,
      `**${range(way, (scenario) => (total(scenario) * 1e6) / scenario.inputs, usd)}**`,
      ...[computing, rest, storage, total].map((figure) => range(way, figure, usd)),
      range(way, hours, (value) => value.toFixed(1)),
    ]),
  );
}

/** A figure of a way on the fastest and on the slowest processors that may meet it; one number if they show the same. */
function range(
  { scenario }: Way,
  figure: (scenario: Scenario) => number,
  show: (value: number) => string,
): string {
  return [...new Set([scenario, slowest(scenario)].map((one) => show(figure(one))))].join('–');
}

/** All lines of the bills side by side, in the order of the steps. */
function billTable(ways: readonly Way[]): string {
  const all = ways.flatMap(({ scenario }) => billOf(scenario));
  const steps = [...Object.keys(timesOf(SMALL)), 'events', 'logs', 'storage'];
  const lines = new Map(all.filter(isShown).map(({ step, what }) => [`${step}: ${what}`, { step, what }]));
  const rows = [...lines.values()]
    .toSorted((a, b) => steps.indexOf(a.step) - steps.indexOf(b.step))
    .map(({ step, what }) => [
      step,
      what,
      ...ways.map((way) => {
        const cost = (scenario: Scenario): number =>
          sum(billOf(scenario), (item) => item.step === step && item.what === what);
        const isThere = billOf(way.scenario).some((item) => item.step === step && item.what === what);
        return isThere ? range(way, cost, usd) : '–';
      }),
    ]);
  const rest = (scenario: Scenario): number =>
    sum(billOf(scenario), ({ step, what }) => !lines.has(`${step}: ${what}`));
  const totals = ways.map((way) => `**${range(way, (scenario) => sum(billOf(scenario), () => true), usd)}**`);
  rows.push(['', 'lines below a cent', ...ways.map((way) => range(way, rest, usd))]);
  return table(['step', 'what', ...ways.map(({ name }) => name)], [...rows, ['', '**all**', ...totals]]);
}

function isShown({ usd: cost }: { readonly usd: number }): boolean {
  return cost >= 0.01;
}

function answers(scenario: Scenario): number {
  return sum(billOf(scenario), ({ what }) => what === 'GB-months of answers');
}

function sum(
  items: readonly { readonly step: string; readonly what: string; readonly usd: number }[],
  counts: (item: { readonly step: string; readonly what: string }) => boolean,
): number {
  return items.reduce((total, item) => total + (counts(item) ? item.usd : 0), 0);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function decimal(value: number): string {
  return value < 10 ? value.toFixed(1) : whole(value);
}

function usd(value: number): string {
  return `$${value >= 100 ? whole(value) : value.toFixed(2)}`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${whole(seconds)} s`;
  return seconds < 7_200 ? `${whole(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
