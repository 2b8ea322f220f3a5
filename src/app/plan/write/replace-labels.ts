import { Readable } from 'node:stream';
import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { Finding } from '../../../label/label-check.ts';
import type { PipelineConfig } from '../../../pipeline/pipeline-config.ts';
import { judgeLabels } from '../../../plan/judge/judge-labels.ts';
import { resolveClasses } from '../../../plan/judge/resolve-labels.ts';
import { resolveSlices } from '../../../plan/judge/resolve-slices.ts';
import { Condition } from '../../../problem/conditions.ts';
import { problemLine } from '../../../problem/problem.ts';
import { type RunParts, toRunId } from '../../../run/run-id.ts';
import { quoted } from '../../../text/shell-quoted.ts';
import { isOneRecord, opensFiles } from '../../../transform/one-record.ts';
import { findDropFile, frozenJson } from '../../records/drop.ts';
import { readAllInputs } from '../../records/inputs.ts';
import { readConfiguration } from '../open/read-configuration.ts';
import { checkTruth } from '../read/check-truth.ts';
import { sortLabelFile } from '../read/label-file.ts';

/** Labels that a refusal names. */
const NAMED = 3;

/** Settings by which a new label file is judged. */
interface AskedLabels {
  readonly config: PipelineConfig;
  readonly truth: Extract<PipelineConfig['labels']['truth'], { readonly from: 'file' }>;
  readonly classes: readonly string[];
  readonly labelsFile: string;
}

/** Where a label file went, and what was there before. */
export interface ReplacedLabels {
  readonly key: string;
  /** The former version, which the bucket keeps; undefined if there was none. */
  readonly before:
    { readonly versionId?: string; readonly size: number; readonly lastModified: Date } | undefined;
}

/**
 * Puts a label file in the place where the runs of a drop read theirs.
 *
 * @param over ETag of the file that the new one was made from, null if there was none: another file that was uploaded since is kept
 * @throws `LabelsNotReplaced` if the configuration reads labels from elsewhere, no input gets a class by the file, or `over` is not there
 */
export async function replaceLabels(
  store: ObjectStore,
  run: RunParts,
  body: Uint8Array,
  over?: string | null,
): Promise<ReplacedLabels> {
  const { config, classesText, labelsFile } = await readConfiguration(store, run, []);
  const truth = config?.labels.truth;
  if (config === undefined || truth?.from !== 'file') {
    const is = truth === undefined ? 'cannot be read' : `is ${JSON.stringify(truth)}`;
    throw notReplaced(
      `${labelsFile}: labels.truth must be {"from": "file", "path": …} for a label file to be read, ${is}`,
    );
  }
  const { classes } = resolveClasses(config.labels.classes, classesText, labelsFile);
  const refusal = await refusalOf(store, run, { config, truth, classes, labelsFile }, body);
  if (refusal !== undefined) throw notReplaced(`${refusal}: nothing was replaced`);
  const { key, found } = await findDropFile(store, run, truth.path);
  if (over === undefined) await store.write(key, body);
  else {
    const text = new TextDecoder().decode(body);
    const isOver =
      over === null ? await store.createIfAbsent(key, text) : await store.replace(key, text, over);
    if (!isOver)
      throw notReplaced(`${key} has changed since it was read: nothing was replaced, so try again`);
  }
  return { key, before: found };
}

/** Why a label file would give a run no figures, as its plan would find; undefined if it does. */
async function refusalOf(
  store: ObjectStore,
  run: RunParts,
  { config, truth, classes, labelsFile }: AskedLabels,
  body: Uint8Array,
): Promise<string | undefined> {
  const frozen = await frozenJson(run).require(store);
  const { columns } = resolveSlices(config);
  const isOpened = opensFiles({ ...config.transform, columns: config.columns });
  const asked = { run, frozen, config, truth, classes, columns };
  const file = await sortLabelFile(store, asked, Readable.from([body]));
  const [unreadable] = file.problems;
  if (unreadable !== undefined) return `the new ${problemLine({ ...unreadable, field: '' })}`;
  const check = checkTruth(
    store,
    run,
    {
      ...config.labels,
      truth,
      classes,
      columns,
      input: { bucket: frozen.sourceBucket, prefix: frozen.sourcePrefix },
      isOneRecord: isOneRecord({ ...config.transform, columns: config.columns }),
      isOpened,
      onRow: () => undefined,
    },
    file,
  );
  for await (const input of readAllInputs(store, run)) await check.look([input]);
  const found = await check.finish();
  if (found === undefined) return undefined;
  const { labeled, noClass, noInput, unlabeled } = found.check;
  const shown = ({ examples: [first] }: Finding): string => JSON.stringify(first);
  if (labeled === 0) {
    if (file.parts.length === 0) return `the new ${truth.path} has no row`;
    const instead =
      noInput.count > 0
        ? `: a row has ${shown(noInput)}, and an input is ${shown(unlabeled)}`
        : isOpened
          ? ': a record is named by its file, and by its place from 0 in a column "record"'
          : ', but other files of its drop';
    return `the new ${truth.path} names no input of ${toRunId(run)}${instead}`;
  }
  const again = `inferdrop rescore ${quoted(toRunId(run))} --labels FILE`;
  const [problem] = judgeLabels({
    ...found,
    truth,
    labelsFile,
    again: `inferdrop pipeline put FOLDER --name ${run.pipeline} and ${again}`,
    strict: false,
    minInputs: undefined,
    minLabeled: null,
    isEarly: false,
    isOneRecord: true,
    copies: 0,
  }).problems;
  if (problem !== undefined) return problemLine(problem);
  return noClass.count < labeled
    ? undefined
    : `the new ${truth.path} gives no class of labels.classes, but ${noClass.examples.slice(0, NAMED).join('; ')}`;
}

function notReplaced(message: string): Condition {
  return new Condition('LabelsNotReplaced', message);
}
