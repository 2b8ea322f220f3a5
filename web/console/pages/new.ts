import type { DraftData } from '../../../src/api/console/draft-data.ts';
import { isHidden } from '../../../src/file-kind/hidden-name.ts';
import { grouped, plural } from '../../../src/text/figures.ts';
import { drawn } from '../../../src/text/name-draw.ts';
import { toSize } from '../../../src/text/size.ts';
import { ask, reasonOf, segment } from '../data/ask.ts';
import { type Sent, uploadOf } from '../data/upload.ts';
import type { OpenPage } from '../page.ts';
import { button } from '../parts/button.ts';
import { configDocument } from '../parts/config-document.ts';
import { dropZone, pathOf } from '../parts/drop-zone.ts';
import { openQuestion } from '../parts/open-question.ts';
import { openPipelineForm, type PipelineForm } from '../parts/pipeline-form.ts';
import { type Child, h, type View } from '../view/view.ts';

/** Files of the sample that are looked at, drawn from all. */
const MAX_SAMPLE = 1_000;

/** A pipeline of a model and some of the files that it will get. */
export const openNew: OpenPage = (_, frame) => {
  let model: readonly Sent[] = [];
  let sample: readonly Sent[] | undefined;
  let name = '';
  let doing: string | undefined;
  let error: string | undefined;
  let question: Extract<DraftData, { readonly question: unknown }>['question'] | undefined;
  let form: PipelineForm | undefined;
  let draft = '';
  const answers: Record<string, string> = {};

  const propose = async (): Promise<void> => {
    doing = 'Looking into the model…';
    frame.redraw();
    const found = await ask<DraftData>(`/api/drafts/${draft}/proposal`, {
      method: 'POST',
      body: JSON.stringify({ answers }),
    });
    if ('question' in found) question = found.question;
    else {
      question = undefined;
      form = openPipelineForm({ draft, name, found, config: configDocument(found.text) }, frame);
    }
  };
  /** Does one thing after another; what fails is said, and the person can choose again. */
  const attempt = (work: () => Promise<void>): void => {
    error = undefined;
    void work()
      .catch((thrown: unknown) => {
        error = reasonOf(thrown);
      })
      .finally(() => {
        doing = undefined;
        frame.redraw();
      });
  };
  const look = async (): Promise<void> => {
    ({ draft } = await ask<{ readonly draft: string }>('/api/drafts', { method: 'POST' }));
    for (const option of Object.keys(answers)) delete answers[option];
    const sent = [
      ...model.map((one) => ({ ...one, part: 'model' })),
      ...(sample ?? []).map((one) => ({ ...one, part: 'sample' })),
    ];
    const partOf = new Map<Sent, string>(sent.map((one) => [one, one.part]));
    const upload = uploadOf(
      sent,
      (one) =>
        ask(`/api/drafts/${draft}/${partOf.get(one) ?? ''}/${segment(one.path)}`, {
          method: 'PUT',
          body: one.file,
        }),
      () => {
        doing = `Reading ${grouped(upload.done)} of ${plural(upload.total, 'file')}, ${toSize(upload.bytes)}…`;
        frame.redraw();
      },
    );
    if (!(await upload.go())) throw new Error(upload.error ?? 'the files could not be read');
    await propose();
  };
  const chosenModel = (files: readonly File[]): void => {
    model = files.map((file) => ({ file, path: pathOf(file) })).filter(({ path }) => !isHidden(path));
    const folder = files[0]?.webkitRelativePath.split('/')[0] ?? '';
    name = toName(folder === '' ? (files[0]?.name ?? '') : folder);
    frame.redraw();
  };
  const chosenSample = (files: readonly File[]): void => {
    const all = files.map((file) => ({ file, path: pathOf(file) })).filter(({ path }) => !isHidden(path));
    sample = drawn(all, MAX_SAMPLE, ({ path }) => path);
    frame.redraw();
  };

  const choosing = (): Child => [
    h(
      'div.head',
      h('p.crumb', h('a', { href: '#/pipelines' }, 'Pipelines')),
      h('h1', 'New pipeline'),
      h(
        'p.lead',
        'From a model and some of the files that it will get. Nothing is uploaded to the stack before you say so.',
      ),
    ),
    error !== undefined && h('p.alarm', { role: 'alert' }, error),
    h(
      'div.split',
      part(
        '1. The model',
        model,
        'model.tar.gz, a SavedModel folder, ONNX, TorchScript, XGBoost, LightGBM, CatBoost or Keras.',
        {
          folderFirst: false,
          chosen: chosenModel,
          other: () => ((model = []), frame.redraw()),
        },
      ),
      part(
        '2. Some files',
        sample,
        'Images, CSV, JSON lines: a folder with ten is enough. Their names or folders may tell the true class.',
        {
          folderFirst: true,
          chosen: chosenSample,
          other: () => ((sample = undefined), frame.redraw()),
        },
      ),
    ),
    h(
      'div.actions.ending',
      button(
        'button.primary',
        sample === undefined ? 'Look only into the model' : 'Look into them',
        () => attempt(look),
        model.length === 0 || doing !== undefined,
      ),
      doing !== undefined && h('span.muted.small', { role: 'status' }, doing),
    ),
  ];
  return {
    title: () => 'New pipeline',
    view() {
      if (form !== undefined) return form.view();
      if (question === undefined) return choosing();
      return openQuestion(question, {
        isBusy: doing !== undefined,
        error,
        answer: (given) => {
          answers[question?.option ?? ''] = given;
          attempt(propose);
        },
        back: () => ((question = undefined), frame.redraw()),
      });
    },
  };
};

interface Part {
  readonly folderFirst: boolean;
  readonly chosen: (files: readonly File[]) => void;
  readonly other: () => void;
}

function part(
  title: string,
  files: readonly Sent[] | undefined,
  note: string,
  { folderFirst, chosen, other }: Part,
): View {
  if (files === undefined || files.length === 0)
    return dropZone({ title, note, folders: true, folderFirst, multiple: folderFirst, chosen });
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  return h(
    'div.zone',
    h('p.big', title),
    h('p', `${files.length === 1 ? (files[0]?.path ?? '') : plural(files.length, 'file')}, ${toSize(bytes)}`),
    h('div.actions', button('button', 'Choose another', other)),
  );
}

/** The name of a file in the letters of a pipeline's name. */
function toName(file: string): string {
  return file
    .replace(/(\.tar)?\.[a-z0-9]+$/i, '')
    .toLowerCase()
    .split(/[^a-z0-9._-]+/)
    .filter((word) => word !== '')
    .join('-');
}
