import type { LabelPreview, LabelQuestion } from '../../../src/api/console/label-preview.ts';
import { type DropSettings, toJob } from '../parts/drop-form.ts';
import { ask, segment } from './ask.ts';
import type { Sent } from './upload.ts';

/** Characters of names, and bytes of a label file, that are looked at before an upload. */
const MOST_CHARACTERS = 4_000_000;
const MOST_BYTES = 1_000_000;
/** Tables, and bytes of each, that are looked at. */
const MOST_TABLES = 100;
const HEAD_BYTES = 65_536;
/** Files that a run looks for its labels in. */
const LABEL_FILE = /^labels\.[^/]*$/;

/** Asks the console's server, on this machine, how a pipeline would read the labels of files; undefined if it reads none. */
export async function askLabels(
  settings: DropSettings,
  sent: readonly Sent[],
  opensTables: boolean,
): Promise<LabelPreview | undefined> {
  const { pipeline, name, labels } = settings;
  const all = [
    ...sent.filter(({ path }) => labels === undefined || path !== 'labels.csv'),
    ...(labels === undefined ? [] : [{ file: labels, path: 'labels.csv' }]),
  ];
  let characters = 0;
  const names = all.map(({ path }) => path).filter((path) => (characters += path.length) <= MOST_CHARACTERS);
  const question: LabelQuestion = {
    names,
    of: all.length,
    labelFiles: await headsOf(
      all.filter(({ path }) => LABEL_FILE.test(path)),
      MOST_BYTES,
    ),
    tables: opensTables
      ? await headsOf(
          sent.filter(({ file, path }) => file.size > 0 && !LABEL_FILE.test(path)).slice(0, MOST_TABLES),
          HEAD_BYTES,
        )
      : [],
    job: toJob({ ...settings, atMost: '', sample: '' }),
  };
  const answer = await ask<Partial<LabelPreview>>(
    `/api/drops/${segment(pipeline)}/${segment(name === '' ? 'drop' : name)}/labels`,
    {
      method: 'POST',
      body: JSON.stringify(question),
    },
  );
  const { title, lines = [], notes = [], problems = [], refusal } = answer;
  return title === undefined ? undefined : { title, lines, notes, problems, refusal };
}

function headsOf(files: readonly Sent[], bytes: number): Promise<LabelQuestion['labelFiles']> {
  return Promise.all(
    files.map(async ({ file, path }) => ({
      name: path,
      size: file.size,
      head: toBase64(new Uint8Array(await file.slice(0, bytes).arrayBuffer())),
    })),
  );
}

function toBase64(bytes: Uint8Array): string {
  const AT_ONCE = 32_768;
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return btoa(text);
}
