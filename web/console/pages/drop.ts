import type { LabelPreview } from '../../../src/api/console/label-preview.ts';
import type { PipelineRow, PipelinesData } from '../../../src/api/console/pipeline-row.ts';
import type { ProblemRow } from '../../../src/api/console/problem-row.ts';
import { isHidden } from '../../../src/file-kind/hidden-name.ts';
import type { LookedAt } from '../../../src/input/looked-at.ts';
import { utc } from '../../../src/text/dates.ts';
import { plural } from '../../../src/text/figures.ts';
import { ask, reasonOf, segment, send } from '../data/ask.ts';
import { askLabels } from '../data/ask-labels.ts';
import { lookAtFiles } from '../data/look-at-files.ts';
import { type Sent, type Upload, uploadOf } from '../data/upload.ts';
import type { OpenPage } from '../page.ts';
import { dropForm, type DropSettings, toJob } from '../parts/drop-form.ts';
import { foundFiles } from '../parts/drop-found.ts';
import { dropZone, pathOf } from '../parts/drop-zone.ts';
import { labelsRead } from '../parts/labels-read.ts';
import { addressOfRun } from '../parts/state.ts';
import { uploading } from '../parts/uploading.ts';
import { h } from '../view/view.ts';

/** Files that are of no use below a drop: its settings come from the form, its mark of the end from the server. */
const OWN_FILES = ['_READY', 'job.json'];

/** Files become a drop: chosen, looked at, uploaded with progress, and their run opened. */
export const openDrop: OpenPage = ([wanted = ''], frame) => {
  let pipelines: readonly PipelineRow[] | undefined;
  let settings: DropSettings = {
    pipeline: wanted,
    name: `drop-${utc(new Date()).slice(0, 16).replace(/\D/g, '-')}`,
    atMost: '',
    sample: '',
    labels: undefined,
    starts: true,
  };
  let sent: readonly Sent[] = [];
  let left: readonly string[] = [];
  let problems: readonly ProblemRow[] = [];
  let error: string | undefined;
  let upload: Upload | undefined;
  let looked: LookedAt | undefined;
  let there = 0;
  const failed = (thrown: unknown): void => {
    error = reasonOf(thrown);
    frame.redraw();
  };
  let preview: LabelPreview | undefined;
  const change = (changes: Partial<DropSettings>): void => {
    settings = { ...settings, ...changes };
    if (['pipeline', 'labels'].some((field) => field in changes)) look();
    frame.redraw();
  };
  /**
   * Looks at the files and asks how their labels would be read, as the plan of their run will; an answer to older settings
   * is passed over.
   */
  const look = (): void => {
    const [asked, files] = [settings, sent];
    [preview, looked] = [undefined, undefined];
    if (files.length === 0 || asked.pipeline === '') return;
    const show = (found: () => void): void => {
      if (files !== sent || asked.pipeline !== settings.pipeline || asked.labels !== settings.labels) return;
      found();
      frame.redraw();
    };
    const row = pipelines?.find(({ pipeline }) => pipeline === asked.pipeline);
    void askLabels(asked, files, row?.settings?.opensTables === true)
      .then((found) => show(() => (preview = found)))
      .catch(failed);
    if (!row?.settings || row.settings.opensTables) return;
    void lookAtFiles(files, row.settings)
      .then((found) => show(() => (looked = found)))
      .catch(failed);
  };
  void ask<PipelinesData>('/api/pipelines')
    .then((found) => {
      pipelines = found.pipelines;
      change({ pipeline: settings.pipeline === '' ? (pipelines[0]?.pipeline ?? '') : settings.pipeline });
    })
    .catch(failed);

  const chosen = (files: readonly File[]): void => {
    const named = files.map((file) => ({ file, path: pathOf(file) }));
    sent = named.filter(({ path }) => !isHidden(path) && !OWN_FILES.includes(path));
    left = named.filter((one) => !sent.includes(one)).map(({ path }) => path);
    const folder = files[0]?.webkitRelativePath.split('/')[0] ?? '';
    change(folder === '' ? {} : { name: folder });
    look();
  };
  const at = (): string => `/api/drops/${segment(settings.pipeline)}/${segment(settings.name)}`;

  const run = async (going: Upload): Promise<void> => {
    const isWhole = await going.go();
    if (!isWhole || upload !== going) return;
    const answer = await ask<{ readonly run: string }>(`${at()}${settings.starts ? '' : '?wait=1'}`, {
      method: 'POST',
      body: toJob(settings),
    });
    upload = undefined;
    location.hash = addressOfRun(answer.run);
  };
  const begin = async (): Promise<void> => {
    problems = [];
    error = looked?.problem ?? preview?.refusal;
    if (error !== undefined) return frame.redraw();
    const response = await send(`${at()}?check=1`, { method: 'POST', body: toJob(settings) });
    const answer = await response.json();
    if (!response.ok) {
      problems = answer.problems ?? [];
      if (problems.length === 0) error = String(answer.detail);
      frame.redraw();
      return;
    }
    const all = [
      ...sent,
      ...(settings.labels === undefined ? [] : [{ file: settings.labels, path: 'labels.csv' }]),
    ];
    const missing = await notThere(at(), all);
    there = all.length - missing.length;
    if (missing.length === 0) {
      error =
        `All ${plural(all.length, 'file')} are in ${settings.pipeline}/${settings.name} already: nothing would be sent, ` +
        'so no run would start. Take another name, or rerun what they became.';
      frame.redraw();
      return;
    }
    upload = uploadOf(
      missing,
      (one) => ask(`${at()}/${segment(one.path)}`, { method: 'PUT', body: one.file }),
      () => frame.redraw(),
    );
    await run(upload);
  };
  const stop = (): void =>
    frame.confirm({
      title: 'Stop the upload?',
      text:
        `${plural(upload?.done ?? 0, 'file')} are uploaded and are kept. Unless another file arrives, their run starts ` +
        'when drop.quietSeconds have passed.',
      go: 'Stop the upload',
      keep: 'Go on',
      isDanger: true,
      act: () => {
        upload?.pause();
        upload = undefined;
        frame.redraw();
      },
    });
  return {
    title: () => 'Drop files',
    close: () => upload?.pause(),
    view: () => [
      h('div.head', h('h1', 'Drop files')),
      upload !== undefined
        ? uploading(upload, {
            to: `${settings.pipeline}/${settings.name}`,
            there,
            stop,
            go: (going) => void run(going).catch(failed),
          })
        : sent.length > 0
          ? h(
              'div.split.wide-left',
              dropForm(settings, {
                pipelines: pipelines ?? [],
                problems,
                error,
                change,
                files: sent.length,
                submit: () => void begin().catch(failed),
                others: () => ((sent = []), frame.redraw()),
              }),
              h('div', foundFiles(sent, left, looked), preview !== undefined && labelsRead(preview)),
            )
          : [
              error !== undefined && h('p.alarm', { role: 'alert' }, error),
              left.length > 0 &&
                h(
                  'p.alarm',
                  { role: 'alert' },
                  `${plural(left.length, 'file')} chosen, and none of them is an input: hidden files never reach a model.`,
                ),
              dropZone({
                title: 'Drop a folder or files here',
                note: 'You see what would run before anything is uploaded.',
                folders: true,
                multiple: true,
                chosen,
              }),
            ],
    ],
  };
};

/** Files that the drop lacks, or has in another size or of an earlier time. */
async function notThere(address: string, files: readonly Sent[]): Promise<readonly Sent[]> {
  const { files: found } = await ask<{
    readonly files: readonly { readonly path: string; readonly size: number; readonly at: string }[];
  }>(address);
  const known = new Map(found.map((one) => [one.path, one]));
  return files.filter(({ file, path }) => {
    const one = known.get(path);
    return one === undefined || one.size !== file.size || Date.parse(one.at) < file.lastModified;
  });
}
