import type { DraftData } from '../../../src/api/console/draft-data.ts';
import type { ProblemRow } from '../../../src/api/console/problem-row.ts';
import { plural } from '../../../src/text/figures.ts';
import { reasonOf, segment, send } from '../data/ask.ts';
import type { Frame } from '../page.ts';
import { type Child, h } from '../view/view.ts';
import { button } from './button.ts';
import { type ConfigDocument, configDocument } from './config-document.ts';
import { controlOf, decidedFields, foundFields } from './config-form.ts';
import { field, textInput } from './field.ts';

/** Time without a keystroke after which the text is checked. */
const REST_MS = 300;

/** A proposal that the person completes. */
interface Proposed {
  readonly draft: string;
  readonly name: string;
  readonly found: Exclude<DraftData, { readonly question: unknown }>;
  readonly config: ConfigDocument;
}

/** The form of a pipeline, with pipeline.json next to it. */
export interface PipelineForm {
  view(): Child;
}

/** Opens the form of a proposal; the stack's own checks say what is still wrong. */
export function openPipelineForm(proposed: Proposed, frame: Frame): PipelineForm {
  const { draft, found } = proposed;
  let { name, config } = proposed;
  let problems = found.problems;
  let error: string | undefined;
  let isCreating = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Number of the newest question: an answer to an earlier one tells nothing any more. */
  let asked = 0;
  /** Asks the stack about the text; true if nothing is wrong with it. */
  const judge = async (address: string): Promise<boolean> => {
    const mine = (asked += 1);
    const answer = await post(`/api/drafts/${draft}/${address}`, config.text);
    if (mine === asked) problems = answer.problems;
    frame.redraw();
    return answer.problems.length === 0;
  };
  const failed = (thrown: unknown): void => {
    error = reasonOf(thrown);
    frame.redraw();
  };
  const change = (next: ConfigDocument): void => {
    config = next;
    clearTimeout(timer);
    timer = setTimeout(() => void judge('check').catch(failed), REST_MS);
    frame.redraw();
  };
  const create = async (): Promise<void> => {
    isCreating = true;
    error = undefined;
    clearTimeout(timer);
    frame.redraw();
    const isCreated = await judge(`pipelines/${segment(name)}`).finally(() => {
      isCreating = false;
      frame.redraw();
    });
    if (isCreated) location.hash = `#/drop/${encodeURIComponent(name)}`;
  };
  return {
    view() {
      const shown = { config, fields: found.fields, problems, change };
      const nameError = problems.find((one) => one.field === 'name' && one.file === '')?.message;
      const isLocked = isCreating || name === '' || problems.some((one) => one.file !== '');
      return [
        h(
          'div.head',
          h('p.crumb', h('a', { href: '#/pipelines' }, 'Pipelines')),
          h('h1', name === '' ? 'New pipeline' : name),
          h(
            'div.actions',
            button(
              'button.primary',
              isCreating ? 'Creating…' : 'Create pipeline',
              () => void create().catch(failed),
              isLocked,
            ),
          ),
        ),
        error !== undefined && h('p.alarm', { role: 'alert' }, error),
        problems.length > 0 && summary(problems),
        h(
          'div.split.wide-left',
          h(
            'div',
            h('h2', 'What was found'),
            h('p.lead', 'Each value with its reason. Change what is wrong.'),
            h(
              'div.form',
              field(
                'name',
                'Name',
                textInput('name', name, nameError !== undefined, (text) => {
                  name = text;
                  problems = problems.filter((one) => one.file !== '');
                  frame.redraw();
                }),
                `a to z, 0 to 9, dots and dashes; files below incoming/${name}/ start its runs.`,
                nameError,
              ),
              config.isReadable && foundFields(shown),
            ),
            found.notes.length > 0 &&
              h(
                'ul.small.muted.notes',
                found.notes.map((note) => h('li', { key: note }, note)),
              ),
            h('h2.after', 'What you decide'),
            h('p.lead', 'Nobody can know these for you.'),
            h('div.form', config.isReadable && decidedFields(shown)),
          ),
          h(
            'aside',
            { 'aria-labelledby': 'json' },
            h('h3#json', 'pipeline.json'),
            h('textarea.json', {
              value: config.text,
              spellcheck: 'false',
              rows: '26',
              'aria-labelledby': 'json',
              on: {
                input: ({ target }) =>
                  target instanceof HTMLTextAreaElement && change(configDocument(target.value)),
              },
            }),
            h(
              'p.small.muted',
              config.isReadable
                ? 'Follows the form; you can type in it too.'
                : 'This is no JSON: the form waits for it.',
            ),
          ),
        ),
      ];
    },
  };
}

/** Problems as links to their fields. */
function summary(problems: readonly ProblemRow[]): Child {
  return h(
    'div.alarm',
    { role: 'status' },
    h('p.what', `${plural(problems.length, 'problem')} ${problems.length === 1 ? 'is' : 'are'} left`),
    problems.map(({ file, field: path, message }) => {
      const control = controlOf(path);
      const words = path === '' ? file : path;
      return h(
        'p',
        { key: `${file} ${path} ${message}` },
        control === undefined
          ? h('b', words)
          : button('button.link', words, () => document.getElementById(control)?.focus()),
        ` ${message}.`,
      );
    }),
  );
}

/** Sends a text; problems of it are an answer like any other. */
async function post(address: string, body: string): Promise<{ readonly problems: readonly ProblemRow[] }> {
  const response = await send(address, { method: 'POST', body });
  const answer = await response.json();
  if (!response.ok && answer.problems === undefined) throw new Error(String(answer.detail));
  return { problems: answer.problems ?? [] };
}
