import path from 'node:path';
import { promotionJson } from '../../app/records/promotion.ts';
import { trainingPlanJson } from '../../app/records/training-plan.ts';
import { findOpenGeneration } from '../../app/run/list-drop-state.ts';
import { requestTraining } from '../../app/run/request-training.ts';
import { rerun } from '../../app/run/rerun.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { toRunId } from '../../run/run-id.ts';
import type { Application } from '../application.ts';
import { listLocalFiles } from '../files/local-files.ts';
import { uploadFiles } from '../files/upload-files.ts';
import { putPipeline, readPipelineFolder } from '../put-pipeline.ts';
import { ROOT } from '../root-folder.ts';
import { finishRun } from '../runs/finish-run.ts';
import { EXIT, toRun } from '../runs/run-result.ts';
import type { Terminal } from '../show/terminal.ts';
import type { TrainingExample } from './training-examples.ts';

const EXAMPLES = path.join(ROOT, 'examples');
const EXAMPLE = 'train-fashion-mnist';
/** One image in this many is held out to judge the model; the others train it. */
const HELD_OUT = 5;

/** Trains the example's model, has it judged and promoted, and predicts the images that judged it with the promoted one. */
export async function trainExample(
  application: Application,
  example: TrainingExample,
  terminal: Terminal,
  json: boolean,
  /** Folder for the reports, if the stack stops with the command. */
  saveBelow: string | undefined,
): Promise<number> {
  const { store } = application;
  const { bold } = terminal.color;
  const pipeline = `${EXAMPLE}-${example}`;
  await putPipeline(application, pipeline, await readPipelineFolder(path.join(EXAMPLES, EXAMPLE, example)));
  const { files } = await listLocalFiles(path.join(EXAMPLES, 'fashion-mnist', 'images'));
  const isHeldOut = (index: number): boolean => index % HELD_OUT === 0;
  const training = { kind: 'training', pipeline, drop: 'example' } as const;

  terminal.note(bold('\nUploading 200 images that will judge the model'));
  await uploadFiles(
    store,
    bucketLayout.evaluationSet(pipeline, 'held-out'),
    files.filter((_, index) => isHeldOut(index)),
    () => undefined,
  );

  terminal.note(bold('\nTraining on the other 800'));
  await uploadFiles(
    store,
    bucketLayout.dropFolder(training),
    files.filter((_, index) => !isHeldOut(index)),
    () => undefined,
  );
  const asked = { ...training, generation: await findOpenGeneration(store, training) };
  await requestTraining(store, asked, { hyperparameters: {} });
  const run = toRunId(asked);
  const code = await finishRun(application, run, terminal, { json, startedAt: performance.now(), saveBelow });
  const promotion = await promotionJson(toRun(run)).read(store);
  const judged = (await trainingPlanJson(toRun(run)).read(store))?.after.evaluate;
  if (code !== EXIT.success || promotion?.promotion !== 'promoted' || !judged) return code;

  terminal.note(bold('\nPredicting the 200 images with the promoted model'));
  const again = await rerun({ run: toRun(judged.run) }, application);
  return finishRun(application, again.run, terminal, { json, startedAt: performance.now(), saveBelow });
}
