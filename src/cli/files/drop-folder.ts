import { findOpenGeneration } from '../../app/run/list-drop-state.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { kindOf, MARKS } from '../../drop/drop-key.ts';
import { HIDDEN_FILES } from '../../file-kind/hidden-name.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { generationBefore } from '../../run/generation.ts';
import { type DropParts, evaluationOf, type RunParts, toRunId } from '../../run/run-id.ts';
import { plural } from '../../text/figures.ts';
import { quoted } from '../../text/shell-quoted.ts';
import { toSize } from '../../text/size.ts';
import type { Application } from '../application.ts';
import { tellAtInterrupt } from '../laptop/tell-at-interrupt.ts';
import { Refusal } from '../refusal.ts';
import { progressBar } from '../show/progress-bar.ts';
import { type Terminal, visible } from '../show/terminal.ts';
import { jobWithSample } from './job-with-sample.ts';
import { listLocalFiles, type LocalFile } from './local-files.ts';
import { lookAtLocalFiles, lookAtLocalTables } from './look-at-local-files.ts';
import { uploadFiles } from './upload-files.ts';

const JOB = 'job.json';
/** Files that aren't sent and are named in the message. */
const MAX_NAMED = 5;

/**
 * Uploads a folder as a drop and returns the run that will take it. The mark before the first file holds the run,
 * however long a file takes, until `_READY` after the last one; a training's is written with its request.
 *
 * @param sample inputs that the drop's job.json asks the run to draw; undefined leaves it as it is
 */
export async function dropFolder(
  { store, bucket }: Application,
  {
    folder,
    sample,
    ...drop
  }: DropParts & {
    readonly folder: string;
    readonly sample?: number | undefined;
  },
  terminal: Terminal,
): Promise<string> {
  const { files: found, hidden } = await listLocalFiles(folder);
  // One in the folder would be uploaded among the other files, before the drop is complete.
  const files = found.filter(({ relative }) => kindOf(relative, drop.kind) !== 'mark');
  const run = { ...drop, generation: await findOpenGeneration(store, drop) };
  requireInput(files, folder, run);
  if (drop.kind === 'inference')
    for (const note of await doubtsOf(store, drop.pipeline, folder, files))
      terminal.note(`  ${terminal.color.yellow('!')} ${visible(note)}`);
  const prefix = bucketLayout.dropFolder(drop);
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let stored = 0;
  const takeBack = tellAtInterrupt(
    () =>
      `${stored} of ${plural(files.length, 'file')} or a few more lie in s3://${bucket}/${prefix}. ${afterInterrupt(run)}`,
    terminal,
  );
  try {
    if (evaluationOf(drop.drop) === undefined) await store.write(prefix + MARKS.uploading, '');
    await uploadFiles(store, prefix, files, (done) => {
      stored = done;
      terminal.status(`  upload    ${progressBar(done / files.length, 24)} ${done} of ${files.length}`);
    });
  } finally {
    takeBack();
  }
  if (sample !== undefined)
    await store.write(prefix + JOB, jobWithSample(await store.readText(prefix + JOB), sample));
  if (drop.kind === 'inference') await store.write(prefix + MARKS.ready, '');
  terminal.note(
    `  ${terminal.color.green('✓')} upload    ${plural(files.length, 'file')}, ${toSize(bytes)}, to s3://${bucket}/${prefix}`,
  );
  if (hidden > 0)
    terminal.note(`  · ${plural(hidden, 'hidden file')} not uploaded: ${HIDDEN_FILES} are not inputs`);
  return toRunId(run);
}

/**
 * Labels without inputs predict nothing, and a run would wait for inputs in vain. An evaluation set starts no run.
 *
 * @throws {Refusal} if a drop has nothing to predict
 */
function requireInput(files: readonly LocalFile[], folder: string, run: RunParts): void {
  const kinds = files.map(({ relative }) => kindOf(relative, run.kind));
  if (evaluationOf(run.drop) !== undefined || kinds.some((kind) => kind === 'file' || kind === 'job')) return;
  const labels = files[kinds.indexOf('labels')];
  if (labels === undefined) throw new Refusal(`${folder} holds no input`);
  const before = generationBefore(run.generation);
  const judged = before === undefined ? 'RUN' : quoted(toRunId({ ...run, generation: before }));
  const which = before === undefined ? `; inferdrop runs --pipeline ${run.pipeline} lists the runs` : '';
  throw new Refusal(
    `${folder} holds ${labels.relative} and no input, and nothing was uploaded. New labels for an earlier run: ` +
      `inferdrop rescore ${judged} --labels ${quoted(labels.file)}${which}`,
  );
}

/** Words on the files that are already uploaded: their fate, and the user's next step. */
function afterInterrupt(run: RunParts): string {
  const again = 'The same command again uploads all of them';
  if (evaluationOf(run.drop) !== undefined) return `The next training is judged by the files there. ${again}`;
  const name = toRunId(run);
  return (
    `${name} takes them when drop.maxWaitMinutes (30 unless pipeline.json sets it) are over. ${again}, and the run ` +
    `starts at once; inferdrop cancel ${quoted(name)} keeps the run from starting`
  );
}

/**
 * Doubts about files, before they are uploaded.
 *
 * @throws {Refusal} if most are of kinds that the run would not send
 */
async function doubtsOf(
  store: ObjectStore,
  pipeline: string,
  folder: string,
  files: readonly LocalFile[],
): Promise<readonly string[]> {
  const inputs = files.filter(({ relative }) => kindOf(relative, 'inference') === 'file');
  const tables = await lookAtLocalTables(store, pipeline, files);
  if (tables !== undefined && tables.refused.length > 0)
    throw new Refusal([...tables.refused.slice(0, MAX_NAMED), 'Nothing was uploaded'].join('\n'));
  const looked = await lookAtLocalFiles(store, pipeline, files);
  const refused = [...(looked?.refused ?? [])].map(([name, why]) => `${name} ${why}`);
  const named = refused.slice(0, MAX_NAMED);
  if (looked?.problem !== undefined)
    throw new Refusal([`${folder}: ${looked.problem}:`, ...named].join('\n') + '\nNothing was uploaded');
  const empty = inputs.filter(({ sizeBytes }) => sizeBytes === 0);
  const [first] = empty;
  return [
    ...named.map((why) => `not sent: ${why}`),
    ...(refused.length > named.length ? [`not sent: ${refused.length - named.length} more`] : []),
    ...(tables?.notes ?? []).slice(0, MAX_NAMED),
    ...(looked?.notes(inputs.length - empty.length) ?? []),
    ...(first === undefined
      ? []
      : [
          `${plural(empty.length, 'file')} of 0 bytes, such as ${JSON.stringify(first.relative)}, will have no prediction`,
        ]),
  ];
}
