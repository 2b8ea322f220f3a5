import type { PipelineRow, PipelinesData, ProblemRow } from '../../../src/api/console-data.ts';
import { isHidden } from '../../../src/drop/hidden-name.ts';
import { grouped, percent, plural } from '../../../src/text/figures.ts';
import { toSize } from '../../../src/text/size.ts';
import { ask, reasonOf, segment } from '../data/ask.ts';
import type { OpenPage } from '../page.ts';
import { dropZone, pathOf } from '../parts/drop-zone.ts';
import { progressScale } from '../parts/progress-scale.ts';
import { addressOfRun } from '../parts/state.ts';
import { type Child, h, type View } from '../view/view.ts';

/** Uploads at once: a browser opens six connections, and the page's events need one. */
const AT_ONCE = 4;
/** Times that a file is sent before the upload is paused. */
const TRIES = 3;

/** A file that is to be sent, under its path below the drop. */
interface Sent {
  readonly file: File;
  readonly path: string;
}

/** An upload: what is still to be sent, and what is there. */
interface Upload {
  readonly waiting: Sent[];
  done: number;
  bytes: number;
  isPaused: boolean;
  error: string | undefined;
}

/** Files become a drop: chosen, looked at, uploaded with progress, and their run opened. */
export const openDrop: OpenPage = ([wanted = ''], frame) => {
  let pipelines: readonly PipelineRow[] | undefined;
  let pipeline = wanted;
  let name = `drop-${new Date().toISOString().slice(0, 16).replace(/\D/g, '-')}`;
  let atMost = '';
  let starts = true;
  let sent: readonly Sent[] = [];
  let left: readonly string[] = [];
  let problems: readonly ProblemRow[] = [];
  let error: string | undefined;
  let upload: Upload | undefined;
  const failed = (thrown: unknown): void => {
    error = reasonOf(thrown);
    frame.redraw();
  };
  void ask<PipelinesData>('/api/pipelines')
    .then((found) => {
      pipelines = found.pipelines;
      pipeline ||= pipelines[0]?.pipeline ?? '';
      frame.redraw();
    })
    .catch(failed);

  const chosen = (files: readonly File[]): void => {
    const named = files.map((file) => ({ file, path: pathOf(file) }));
    sent = named.filter(({ path }) => !isHidden(path) && path !== '_READY' && path !== 'job.json');
    left = named.filter((one) => !sent.includes(one)).map(({ path }) => path);
    const folder = files[0]?.webkitRelativePath.split('/')[0] ?? '';
    if (folder !== '') name = folder;
    frame.redraw();
  };
  const at = (): string => `/api/drops/${segment(pipeline)}/${segment(name)}`;
  const job = (): string =>
    atMost === ''
      ? ''
      : JSON.stringify({ limits: { maxCostUsd: Number.isNaN(Number(atMost)) ? atMost : Number(atMost) } });

  const send = async (one: Sent, going: Upload): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        await ask(`${at()}/${segment(one.path)}`, { method: 'PUT', body: one.file });
        return;
      } catch (thrown) {
        if (tries < TRIES && !going.isPaused) continue;
        going.isPaused = true;
        going.error = `${one.path}: ${reasonOf(thrown)}`;
        throw thrown;
      }
    }
  };
  /** Sends until all is there, or the upload is paused; what could not be sent waits for the next attempt. */
  const work = async (going: Upload): Promise<void> => {
    for (;;) {
      const one = going.isPaused ? undefined : going.waiting.shift();
      if (one === undefined) return;
      try {
        await send(one, going);
      } catch {
        going.waiting.unshift(one);
        return;
      }
      going.done += 1;
      going.bytes += one.file.size;
      frame.redraw();
    }
  };
  const run = async (going: Upload): Promise<void> => {
    going.isPaused = false;
    going.error = undefined;
    frame.redraw();
    await Promise.all(Array.from({ length: AT_ONCE }, () => work(going)));
    frame.redraw();
    if (going.isPaused || upload !== going) return;
    const answer = await ask<{ readonly run: string }>(`${at()}${starts ? '' : '?wait=1'}`, {
      method: 'POST',
      body: job(),
    });
    upload = undefined;
    location.hash = addressOfRun(answer.run);
  };
  const begin = async (): Promise<void> => {
    problems = [];
    error = undefined;
    const response = await fetch(`${at()}?check=1`, { method: 'POST', body: job() });
    const answer = await response.json();
    if (!response.ok) {
      problems = answer.problems ?? [];
      if (problems.length === 0) error = String(answer.detail);
      frame.redraw();
      return;
    }
    upload = { waiting: [...sent], done: 0, bytes: 0, isPaused: false, error: undefined };
    await run(upload);
  };
  const pause = (): void => {
    if (upload !== undefined) upload.isPaused = true;
    frame.redraw();
  };
  const stop = (): void =>
    frame.confirm({
      title: 'Stop the upload?',
      text: `${plural(upload?.done ?? 0, 'file')} are uploaded and are kept. Unless another file arrives, their run starts when drop.quietSeconds have passed.`,
      ...{ go: 'Stop the upload', keep: 'Go on', isDanger: true },
      act: () => {
        if (upload !== undefined) upload.isPaused = true;
        upload = undefined;
        frame.redraw();
      },
    });

  const form = (): View => {
    const quiet = pipelines?.find((row) => row.pipeline === pipeline)?.settings?.quietSeconds;
    const wrong = problems.map(({ field, message }) => `${field} ${message}`);
    const cap = wrong.length > 0 ? wrong.join('; ') : undefined;
    return h(
      'form',
      {
        class: 'form',
        on: {
          submit: (event) => {
            event.preventDefault();
            void begin().catch(failed);
          },
        },
      },
      field(
        'pipeline',
        'Pipeline',
        h(
          'select',
          {
            id: 'pipeline',
            value: pipeline,
            on: {
              change: ({ target }) => (
                (pipeline = target instanceof HTMLSelectElement ? target.value : pipeline),
                frame.redraw()
              ),
            },
          },
          (pipelines ?? []).map((row) => h('option', { value: row.pipeline }, row.pipeline)),
        ),
      ),
      field(
        'name',
        'Name',
        text('name', name, error !== undefined, (value) => ((name = value), frame.redraw())),
        `They go to incoming/${pipeline}/${name}/. The same name again adds to it; only what is new is sent to the model.`,
        error,
      ),
      field(
        'cap',
        'At most',
        text('cap', atMost, cap !== undefined, (value) => ((atMost = value), frame.redraw())),
        'US dollars that the run may cost. A job.json of this drop; it may only tighten what pipeline.json allows. Empty: as pipeline.json says.',
        cap,
      ),
      h(
        'div',
        { class: 'field' },
        h('span', { class: 'label' }, 'Start'),
        h(
          'div',
          null,
          h(
            'label',
            { class: 'check' },
            h('input', {
              type: 'checkbox',
              checked: starts,
              on: { change: () => ((starts = !starts), frame.redraw()) },
            }),
            ' as soon as all files are there',
          ),
          h(
            'p',
            { class: 'why' },
            `Else when no file has arrived for ${quiet === undefined ? 'drop.quietSeconds' : `${quiet} seconds`}.`,
          ),
        ),
      ),
      h(
        'div',
        { class: 'actions ending' },
        h(
          'button',
          { class: 'primary', disabled: pipeline === '' || name === '' },
          `Upload ${plural(sent.length, 'file')} and run`,
        ),
        h(
          'button',
          { type: 'button', class: 'plain', on: { click: () => ((sent = []), frame.redraw()) } },
          'Choose others',
        ),
      ),
    );
  };
  return {
    title: () => 'Drop files',
    close() {
      if (upload !== undefined) upload.isPaused = true;
    },
    view: () => [
      h('div', { class: 'head' }, h('h1', null, 'Drop files')),
      upload !== undefined
        ? uploading(upload, sent, {
            to: `${pipeline}/${name}`,
            pause,
            go: (going) => void run(going).catch(failed),
            stop,
          })
        : sent.length > 0
          ? h('div', { class: 'split wide-left' }, form(), found(sent, left))
          : [
              error !== undefined && h('p', { class: 'alarm', role: 'alert' }, error),
              left.length > 0 &&
                h(
                  'p',
                  { class: 'alarm', role: 'alert' },
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

function field(id: string, label: string, control: View, why = '', error?: string): View {
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    h(
      'div',
      null,
      control,
      error !== undefined && h('p', { class: 'error', id: `${id}-error`, role: 'alert' }, error),
      why !== '' && h('p', { class: 'why', id: `${id}-why` }, why),
    ),
  );
}

function text(id: string, value: string, isWrong: boolean, changed: (value: string) => void): View {
  return h('input', {
    ...{
      type: 'text',
      id,
      value,
      autocomplete: 'off',
      spellcheck: 'false',
      'aria-invalid': isWrong ? 'true' : undefined,
    },
    'aria-describedby': isWrong ? `${id}-error ${id}-why` : `${id}-why`,
    on: { input: ({ target }) => target instanceof HTMLInputElement && changed(target.value) },
  });
}

/** Kinds and sizes of the chosen files. */
function found(sent: readonly Sent[], left: readonly string[]): View {
  const bytes = sent.reduce((sum, { file }) => sum + file.size, 0);
  const kinds = new Map<string, number>();
  for (const { path } of sent) {
    const kind = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? 'without ending';
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const empty = sent.filter(({ file }) => file.size === 0).length;
  return h(
    'aside',
    { 'aria-labelledby': 'what' },
    h('h2', { id: 'what' }, plural(sent.length, 'file')),
    h('p', { class: 'lead' }, toSize(bytes)),
    h(
      'dl',
      { class: 'receipt' },
      [...kinds]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 6)
        .flatMap(([kind, count]) => [h('dt', null, kind), h('dd', null, grouped(count))]),
      left.length > 0 && [
        h('dt', null, 'left out'),
        h(
          'dd',
          null,
          `${left.slice(0, 5).join(', ')}${left.length > 5 ? `, … ${grouped(left.length)} in all` : ''}`,
        ),
      ],
      empty > 0 && [
        h('dt', null, 'empty'),
        h('dd', { class: 'bad' }, `${plural(empty, 'file')} of 0 bytes will have no prediction`),
      ],
    ),
  );
}

interface Uploading {
  readonly to: string;
  readonly pause: () => void;
  readonly go: (upload: Upload) => void;
  readonly stop: () => void;
}

function uploading(upload: Upload, sent: readonly Sent[], { to, pause, go, stop }: Uploading): Child {
  const share = sent.length === 0 ? 1 : upload.done / sent.length;
  return [
    h(
      'div',
      { class: 'headline' },
      h(
        'div',
        null,
        h('p', { class: 'hero' }, percent(share, 0).slice(0, -1), h('small', null, '%')),
        h(
          'p',
          { class: 'note' },
          `uploaded: ${grouped(upload.done)} of ${plural(sent.length, 'file')}, ${toSize(upload.bytes)}.`,
        ),
        progressScale(share, percent(share, 0), 'uploaded'),
      ),
      h('dl', { class: 'facts' }, h('div', null, h('dt', null, 'To'), h('dd', null, to))),
      upload.error !== undefined && h('p', { class: 'verdict bad', role: 'alert' }, upload.error),
      h(
        'p',
        { class: 'verdict' },
        'You can close this page when the upload is complete; the run goes on without it.',
      ),
    ),
    h(
      'div',
      { class: 'actions ending' },
      upload.isPaused
        ? h('button', { type: 'button', on: { click: () => go(upload) } }, 'Go on')
        : h('button', { type: 'button', on: { click: pause } }, 'Pause'),
      h('button', { type: 'button', on: { click: stop } }, 'Stop the upload'),
    ),
  ];
}
