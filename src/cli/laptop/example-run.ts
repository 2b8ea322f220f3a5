import path from 'node:path';
import { compareRuns } from '../../app/report/compare-runs.ts';
import { toConfigDocument } from '../../pipeline/pipeline-config.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { dollars, duration, grouped, plural } from '../../text/figures.ts';
import type { EngineName } from '../../transform/engine-settings.ts';
import type { Application } from '../application.ts';
import { dropFolder } from '../files/drop-folder.ts';
import { type PipelineFolder, putPipeline } from '../put-pipeline.ts';
import { ROOT } from '../root-folder.ts';
import { awaitRun, type FinishedRun } from '../runs/finish-run.ts';
import { toRun } from '../runs/run-result.ts';
import { summaryLines } from '../show/summary-lines.ts';
import { type Column, right, toTable } from '../show/table.ts';
import type { Terminal } from '../show/terminal.ts';

/** Pipeline of the example. Its jobs run in SageMaker. */
export const PIPELINE = 'fashion-mnist';
/** Pipeline of the same model by engine lambda. */
const BY_LAMBDA = `${PIPELINE}-lambda`;
/** Images of the example. */
export const IMAGES = path.join(ROOT, 'examples', 'fashion-mnist', 'images');

interface ExampleRun extends FinishedRun {
  readonly run: string;
  readonly engine: EngineName;
  /** From its last upload to its end, on this machine. */
  readonly seconds: number;
}

/** The example through both engines. */
export interface ComparedEngines {
  readonly engines: readonly [ExampleRun, ExampleRun];
  /** Images that both give the same class; null if the second run has failed. */
  readonly sameClass: number | null;
}

const COLUMNS: readonly Column<ExampleRun>[] = [
  { title: 'ENGINE', text: ({ engine }) => engine },
  right('HERE', ({ seconds }) => duration(seconds)),
  right('QUOTE IN AWS', ({ report }) => dollars(report.setup?.quoteUsd ?? null)),
  right('RIGHT', ({ report }) => grouped(report.correct ?? 0)),
];

/** Puts the example's pipeline and runs its images as its pipeline.json says. */
export async function runExample(
  application: Application,
  example: PipelineFolder,
  terminal: Terminal,
): Promise<ExampleRun> {
  await putPipeline(application, PIPELINE, example);
  return dropImages(application, PIPELINE, 'sagemaker', terminal);
}

/** Runs the same images and archive by engine lambda, and shows both runs below each other. */
export async function runByLambda(
  application: Application,
  { config }: PipelineFolder,
  first: ExampleRun,
  terminal: Terminal,
): Promise<ComparedEngines> {
  const { store, bucket } = application;
  const { setup } = first.report;
  if (config === undefined || setup === null)
    throw new Error(`${first.run} had no pipeline.json and no plan`);
  const own = {
    ...toConfigDocument(config),
    model: { ...config.model, artifact: `s3://${bucket}/${bucketLayout.model(setup.modelSha256)}` },
    transform: { ...config.transform, engine: 'lambda' },
    endpoint: { deploy: 'never' },
  };
  terminal.note(terminal.color.bold('\nThe same images by functions of Lambda, without an instance'));
  await store.write(bucketLayout.pipelineConfig(BY_LAMBDA), JSON.stringify(own));
  const second = await dropImages(application, BY_LAMBDA, 'lambda', terminal);
  const engines = [first, second] as const;
  if (!second.success) return { engines, sameClass: null };
  const { comparison } = await compareRuns(store, toRun(second.run), toRun(first.run));
  return { engines, sameClass: comparison.sameClass };
}

/** Both runs for `--json`. */
export function engineFigures({ engines, sameClass }: ComparedEngines) {
  const figures = engines.map(({ engine, seconds, report }) => ({
    engine,
    seconds: Math.round(seconds * 10) / 10,
    quoteUsd: report.setup?.quoteUsd ?? null,
  }));
  return { engines: figures, sameClass };
}

/** The runs below each other, and whether their classes are the same; or why the second has failed. */
export function engineLines({ engines, sameClass }: ComparedEngines, terminal: Terminal): readonly string[] {
  const [first, second] = engines;
  if (sameClass === null) return summaryLines(second.report, terminal);
  const inputs = first.report.total;
  const same =
    sameClass === inputs
      ? `Both give each of ${plural(inputs, 'image')} the same class.`
      : `Both give ${grouped(sameClass)} of ${plural(inputs, 'image')} the same class.`;
  return [...toTable(engines, COLUMNS), same];
}

async function dropImages(
  application: Application,
  pipeline: string,
  engine: EngineName,
  terminal: Terminal,
): Promise<ExampleRun> {
  const drop = { folder: IMAGES, kind: 'inference', pipeline, drop: 'example' } as const;
  const run = await dropFolder(application, drop, terminal);
  const uploadedAt = performance.now();
  const finished = await awaitRun(application, run, terminal);
  return { ...finished, run, engine, seconds: (performance.now() - uploadedAt) / 1_000 };
}
