import type { Deployable, EndpointRow } from '../../../src/api/console/endpoint-row.ts';
import type { PipelinesData } from '../../../src/api/console/pipeline-row.ts';
import { requestType } from '../../../src/api/request-type.ts';
import { coordinate, dollars, percent } from '../../../src/text/figures.ts';
import { toSize } from '../../../src/text/size.ts';
import { ask, reasonOf, segment } from '../data/ask.ts';
import type { Frame, OpenPage } from '../page.ts';
import { button } from '../parts/button.ts';
import { dropZone } from '../parts/drop-zone.ts';
import { pipelineChoice } from '../parts/pipeline-choice.ts';
import { addressOfRun } from '../parts/state.ts';
import { type Child, h, type View } from '../view/view.ts';

/** The answer of the prediction API. */
interface Answer {
  readonly run: string;
  readonly latencyMs: number;
  readonly predictions: readonly {
    readonly label: string;
    readonly score: number | null;
    readonly topK: readonly { readonly label: string; readonly score: number | null }[];
  }[];
}

interface Tried {
  readonly file: File;
  /** Address of the image in this page; undefined for another file. */
  readonly picture: string | undefined;
  readonly answer?: Answer;
  readonly error?: string;
}

/** Classes that are drawn as bars. */
const DRAWN = 5;

/** One file for the model that serves, and its answer. */
export const openTry: OpenPage = ([wanted = ''], frame) => {
  let pipelines: readonly string[] | undefined;
  let served: readonly EndpointRow[] = [];
  let deployable: Deployable | undefined;
  let pipeline = wanted;
  let tried: Tried | undefined;
  let error: string | undefined;
  let isDeploying = false;
  const failed = (thrown: unknown): void => {
    error = reasonOf(thrown);
    frame.redraw();
  };

  const choose = async (name: string): Promise<void> => {
    pipeline = name;
    tried = undefined;
    deployable = undefined;
    frame.redraw();
    if (name !== '' && !served.some((one) => one.pipeline === name))
      deployable = await ask<Deployable>(`/api/deployable/${segment(name)}`);
    frame.redraw();
  };
  const read = async (): Promise<void> => {
    const found = await ask<PipelinesData>('/api/pipelines');
    pipelines = found.pipelines.map((row) => row.pipeline);
    served = found.pipelines.flatMap(({ endpoint }) => endpoint ?? []);
    await choose(pipeline === '' ? (served[0]?.pipeline ?? pipelines[0] ?? '') : pipeline);
  };
  void read().catch(failed);

  const send = async ([file]: readonly File[]): Promise<void> => {
    if (file === undefined) return;
    if (tried?.picture !== undefined) URL.revokeObjectURL(tried.picture);
    const picture = file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined;
    tried = { file, picture };
    frame.redraw();
    const headers = {
      'content-type': requestType(file.name),
    };
    try {
      const answer = await ask<Answer>(`/api/predict/${segment(pipeline)}`, {
        method: 'POST',
        headers,
        body: file,
      });
      tried = { file, picture, answer };
      const [best] = answer.predictions;
      if (best !== undefined)
        frame.say(`${best.label}${best.score === null ? '' : ` ${percent(best.score)}`}`);
    } catch (thrown) {
      tried = { file, picture, error: reasonOf(thrown) };
    }
    frame.redraw();
  };
  const onPaste = (event: ClipboardEvent): void => void send([...(event.clipboardData?.files ?? [])]);
  addEventListener('paste', onPaste);
  const deploy = async (run: string): Promise<void> => {
    isDeploying = true;
    frame.redraw();
    await ask(`/api/endpoints/${segment(pipeline)}?run=${segment(run)}`, { method: 'POST' });
    location.hash = '#/endpoints';
  };
  return {
    title: () => 'Try',
    close() {
      removeEventListener('paste', onPaste);
      if (tried?.picture !== undefined) URL.revokeObjectURL(tried.picture);
    },
    view: () => [
      h(
        'div.head',
        h('h1', 'Try'),
        pipelines !== undefined &&
          pipelines.length > 1 &&
          pipelineChoice(pipelines, pipeline, (name) => void choose(name).catch(failed)),
      ),
      error !== undefined && h('p.alarm', { role: 'alert' }, error),
      pipelines !== undefined &&
        (served.some((one) => one.pipeline === pipeline)
          ? [
              h(
                'div.split',
                h(
                  'div',
                  tried === undefined ? null : shownFile(tried),
                  dropZone({
                    title: tried === undefined ? 'Drop an image here' : 'Drop another',
                    note: 'or paste one. Text, CSV and JSON go as well.',
                    folders: false,
                    multiple: false,
                    chosen: (files) => void send(files),
                  }),
                ),
                h(
                  'div',
                  { 'aria-live': 'polite' },
                  tried === undefined ? h('p.muted', 'The answer appears here.') : answered(tried),
                ),
              ),
              asProgram(frame, pipeline, tried?.file.name ?? 'IMAGE.png'),
            ]
          : deployable !== undefined &&
            nothingServes(pipeline, deployable, isDeploying, frame, (run) => void deploy(run).catch(failed))),
    ],
  };
};

function shownFile({ file, picture }: Tried): Child {
  return [
    picture !== undefined && h('span.photo.tried', h('img', { src: picture, alt: file.name })),
    h('p.small.muted.named', h('span.key', file.name), `, ${toSize(file.size)}`),
  ];
}

function answered({ file, answer, error }: Tried): Child {
  if (error !== undefined)
    return h('div.alarm', h('p.what', `The model gave no answer for ${file.name}`), h('p', error));
  if (answer === undefined)
    return h(
      'div',
      { 'aria-busy': 'true' },
      h('p.hero.word', h('span.ghost', { css: { '--w': '220px' } })),
      h('p.note', `${file.name} is with the model.`),
    );
  const [best] = answer.predictions;
  if (best === undefined) return h('p', 'The model answered with nothing.');
  const ranked = best.topK.length > 0 ? best.topK.slice(0, DRAWN) : [best];
  return [
    h('p.hero.word', best.label, ' ', best.score !== null && h('small', percent(best.score))),
    h(
      'p.note',
      `in ${answer.latencyMs} ms, by the model of `,
      h('a', { href: addressOfRun(answer.run) }, answer.run),
      answer.predictions.length > 1 && `; the first of ${answer.predictions.length} records`,
    ),
    h(
      'ul.scores',
      ranked.map(({ label, score }, at) =>
        h(
          'li',
          { class: at === 0 ? 'first' : '' },
          h('span', label),
          h('span.meter.thick', {
            css: { '--v': `${coordinate(100 * Math.max(0, Math.min(1, score ?? 0)))}%` },
          }),
          h('span.num', score === null ? '–' : percent(score, 2)),
        ),
      ),
    ),
  ];
}

/** The same call from a shell. */
function asProgram({ place }: Frame, pipeline: string, file: string): View {
  const name = /^[\w.-]+$/.test(file) ? file : 'IMAGE.png';
  const url = `${place.apiUrl.replace(/\/$/, '')}/predict/${pipeline}`;
  const text =
    `curl --aws-sigv4 aws:amz:${place.region}:execute-api \\\n  --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \\\n ` +
    ` -H 'content-type: ${requestType(name)}' --data-binary @${name} \\\n  ${url}\n\ninferdrop predict ${name} ` +
    `--pipeline ${pipeline}`;
  return h(
    'section',
    h('h2', 'The same from a program'),
    h('p.lead', 'With your own credentials.'),
    h('pre', { tabindex: '0', role: 'region', 'aria-label': 'Command' }, text),
  );
}

function nothingServes(
  pipeline: string,
  { run, hourlyUsd, ttlHours }: Deployable,
  isDeploying: boolean,
  frame: Frame,
  deploy: (run: string) => void,
): View {
  const price =
    hourlyUsd === null ? 'billed by use or at a price not known' : `${dollars(hourlyUsd)} an hour`;
  return h(
    'div.empty',
    h('h2', `Nothing serves ${pipeline}`),
    h(
      'p',
      run === null
        ? 'No run of it that passed its gate can be deployed.'
        : `The last run that passed its gate is ${run}. Deployed, it answers until it is ` +
            `deleted${ttlHours === null ? '' : `, at most ${ttlHours} hours`}.`,
    ),
    run !== null &&
      h(
        'div.actions',
        button(
          'button.primary',
          isDeploying ? 'Deploying…' : `Deploy ${run.slice(pipeline.length + 1)}, ${price}`,
          () =>
            frame.confirm({
              title: `Deploy ${run}?`,
              text: `${price}${ttlHours === null ? '' : `, at most ${ttlHours} hours`}. First it is tested with inputs of the run.`,
              go: `Deploy, ${price}`,
              act: () => deploy(run),
            }),
          isDeploying,
        ),
      ),
  );
}
