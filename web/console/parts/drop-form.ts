import type { PipelineRow } from '../../../src/api/console/pipeline-row.ts';
import type { ProblemRow } from '../../../src/api/console/problem-row.ts';
import { plural } from '../../../src/text/figures.ts';
import { h, type View } from '../view/view.ts';
import { button } from './button.ts';
import { choiceInput, field, numberOrText, textInput } from './field.ts';

/** Settings of a drop, as they stand in its form. */
export interface DropSettings {
  readonly pipeline: string;
  readonly name: string;
  /** Dollars, as typed; empty for pipeline.json's value. */
  readonly atMost: string;
  /** Inputs that are predicted, as typed; empty for all. */
  readonly sample: string;
  /** A file of labels that goes with the files. */
  readonly labels: File | undefined;
  /** Whether the run starts when all is there. */
  readonly starts: boolean;
}

/** Text of job.json of these settings; empty if they change nothing. */
export function toJob({ atMost, sample, labels }: DropSettings): string {
  const job = {
    ...(atMost === '' ? {} : { limits: { maxCostUsd: numberOrText(atMost) } }),
    ...(sample === '' ? {} : { sample: { inputs: numberOrText(sample) } }),
    ...(labels === undefined ? {} : { labels: { truth: { from: 'file', path: 'labels.csv' } } }),
  };
  return Object.keys(job).length === 0 ? '' : JSON.stringify(job);
}

interface DropForm {
  readonly pipelines: readonly PipelineRow[];
  readonly problems: readonly ProblemRow[];
  readonly error: string | undefined;
  readonly files: number;
  readonly change: (changes: Partial<DropSettings>) => void;
  readonly submit: () => void;
  readonly others: () => void;
}

/** The form of a drop; what is wrong with its job.json stands at the field that says it. */
export function dropForm(
  { pipeline, name, atMost, sample, labels, starts }: DropSettings,
  { pipelines, problems, error, files, change, submit, others }: DropForm,
): View {
  const quiet = pipelines.find((row) => row.pipeline === pipeline)?.settings?.quietSeconds;
  const mistake = (group: string): string | undefined => {
    const found = problems.filter((one) => one.field.startsWith(group));
    return found.length === 0 ? undefined : found.map((one) => `${one.field} ${one.message}`).join('; ');
  };
  const cap = mistake('limits');
  const part = mistake('sample');
  return h(
    'form.form',
    {
      on: {
        submit: (event) => {
          event.preventDefault();
          submit();
        },
      },
    },
    field(
      'pipeline',
      'Pipeline',
      choiceInput(
        'pipeline',
        pipeline,
        pipelines.map((row) => [row.pipeline, row.pipeline] as const),
        (chosen) => change({ pipeline: chosen }),
      ),
      'Its model, classes and gate are what the files meet.',
    ),
    field(
      'name',
      'Name',
      textInput('name', name, error !== undefined, (text) => change({ name: text })),
      `They go to incoming/${pipeline}/${name}/. The same name again adds to it; what is there is not sent again.`,
      error,
    ),
    field(
      'labels',
      'Labels',
      h(
        'div.actions',
        h('input#labels', {
          type: 'file',
          accept: '.csv',
          'aria-describedby': 'labels-why',
          on: {
            change: ({ target }) =>
              target instanceof HTMLInputElement && change({ labels: target.files?.[0] }),
          },
        }),
      ),
      labels === undefined
        ? 'As pipeline.json says. A labels.csv chosen here (columns key and label) takes its place for this drop; its ' +
            'run is then never deployed automatically.'
        : `${labels.name} goes with the files as labels.csv. This run is never deployed automatically, and never a baseline.`,
      mistake('labels'),
    ),
    field(
      'cap',
      'At most',
      textInput('cap', atMost, cap !== undefined, (text) => change({ atMost: text })),
      'US dollars that the run may cost. It goes into a job.json of this drop, which may only tighten what ' +
        'pipeline.json allows. Empty: as pipeline.json says.',
      cap,
    ),
    field(
      'sample',
      'Predict',
      textInput('sample', sample, part !== undefined, (text) => change({ sample: text })),
      'How many of the files, drawn at random; the report says what the rest would cost. Empty: as pipeline.json says.',
      part,
    ),
    h(
      'div.field',
      h('span.label', 'Start'),
      h(
        'div',
        h(
          'label.check',
          h('input', {
            type: 'checkbox',
            checked: starts,
            on: { change: () => change({ starts: !starts }) },
          }),
          ' as soon as all files are there',
        ),
        h(
          'p.why',
          `Otherwise when no file has arrived for ${quiet === undefined ? 'drop.quietSeconds of pipeline.json' : `${quiet} s`}.`,
        ),
      ),
    ),
    h(
      'div.actions.ending',
      h(
        'button.primary',
        { disabled: pipeline === '' || name === '' },
        `Upload ${plural(files, 'file')} and run`,
      ),
      button('button.plain', 'Choose others', others),
    ),
  );
}
