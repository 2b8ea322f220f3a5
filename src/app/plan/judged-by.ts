import { createHash } from 'node:crypto';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Plan } from '../../plan/plan.ts';
import { forRescore } from '../../plan/rescored.ts';
import { PROGRAM } from '../../report/program.ts';
import type { RunParts } from '../../run/run-id.ts';
import { findDropFile } from '../records/drop.ts';
import { readConfiguration } from './open/read-configuration.ts';
import { findBaseline } from './read/find-baseline.ts';

/**
 * SHA-256 of everything that would judge the predictions of a run today: the settings that a rescore obeys, the classes, the ETag
 * of the label file, the baseline that "last-passed" finds, and the release of this program. If two are equal, so are the reports.
 *
 * @param plan the plan that made the predictions
 */
export async function judgedBy(store: ObjectStore, run: RunParts, plan: Plan): Promise<string> {
  const { config, classesText, labelsFile, judgedByDrop, problems } = forRescore(
    await readConfiguration(store, run, []),
    plan,
  );
  const truth = config?.labels.truth;
  const [labels, compared] = await Promise.all([
    truth?.from === 'file' ? findDropFile(store, run, truth.path) : undefined,
    config && findBaseline(store, run, config.report.baseline),
  ]);
  const decisive = {
    program: PROGRAM,
    config,
    classesText,
    labelsFile,
    judgedByDrop,
    problems,
    labels: labels?.found?.etag,
    baseline: compared?.baseline,
  };
  return createHash('sha256').update(JSON.stringify(decisive)).digest('hex');
}
