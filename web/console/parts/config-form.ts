import type { ProposedField } from '../../../src/api/console/draft-data.ts';
import type { ProblemRow } from '../../../src/api/console/problem-row.ts';
import { type Child, h } from '../view/view.ts';
import type { ConfigDocument } from './config-document.ts';
import { choiceInput, field, numberOrText, textInput } from './field.ts';

/** A pipeline.json as its form shows it. */
export interface ShownConfig {
  readonly config: ConfigDocument;
  readonly fields: readonly ProposedField[];
  readonly problems: readonly ProblemRow[];
  readonly change: (config: ConfigDocument) => void;
}

/** Fields that have a control below; the others are shown as they were found. */
const EDITED = ['labels.classes', 'labels.truth', 'gate.minAccuracy', '$schema'];

/** Names of fields for people. */
const NAMES: Readonly<Record<string, string>> = {
  'model.framework': 'Framework',
  'model.frameworkVersion': 'Version',
  'transform.contentType': 'Sent as',
  'transform.accept': 'Answered as',
  'transform.splitType': 'Split',
  'transform.assembleWith': 'Assembled',
  'transform.inputFilter': 'Model gets',
  'labels.scores': 'Scores',
  'labels.threshold': 'Threshold',
};

/** Identifier of the control of a field, for links to it. */
export function controlOf(path: string): string | undefined {
  return Object.entries(CONTROLS).find(([prefix]) => path === prefix || path.startsWith(`${prefix}.`))?.[1];
}

const CONTROLS: Readonly<Record<string, string>> = {
  name: 'name',
  'labels.classes': 'classes',
  'labels.truth': 'truth',
  'gate.minAccuracy': 'accuracy',
  'limits.maxCostUsd': 'cap',
  'endpoint.deploy': 'deploy',
};

/** Fields that the model and the files have told, each value with its reason. */
export function foundFields(shown: ShownConfig): Child {
  const { config, fields, problems, change } = shown;
  const reasonOf = (path: string): string => fields.find((one) => one.field === path)?.reason ?? '';
  const classes = config.read('labels.classes');
  return [
    fields
      .filter((one) => !EDITED.includes(one.field))
      .map(({ field: path, reason }) =>
        h(
          'div.field',
          { key: path },
          h('span.label', NAMES[path] ?? path),
          h('div', h('span.value', written(config.read(path))), h('p.why', reason)),
        ),
      ),
    isTexts(classes) &&
      field(
        'classes',
        'Classes',
        textInput('classes', classes.join(', '), mistake(problems, 'labels.classes') !== undefined, (text) =>
          change(
            config.with(
              'labels.classes',
              text.split(',').map((name) => name.trim()),
            ),
          ),
        ),
        `In the order of the model’s outputs: ${reasonOf('labels.classes')}.`,
        mistake(problems, 'labels.classes'),
      ),
    truthField(shown, reasonOf('labels.truth')),
  ];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function truthField({ config, problems, change }: ShownConfig, reason: string): Child {
  const from = config.read('labels.truth.from');
  const kind = typeof from === 'string' ? from : 'none';
  const error = mistake(problems, 'labels.truth');
  const starts: Readonly<Record<string, unknown>> = {
    folder: { from: 'folder' },
    key: { from: 'key', pattern: '([a-zA-Z][a-zA-Z-]*)\\.[a-zA-Z0-9]+$' },
    file: { from: 'file', path: 'labels.csv' },
    record: { from: 'record', path: '$[0]' },
    none: null,
  };
  const inner = { key: 'pattern', file: 'path', record: 'path' }[kind];
  return field(
    'truth',
    'The true class',
    [
      choiceInput(
        'truth',
        kind,
        [
          ['folder', 'from the folder of each file'],
          ['key', 'from file names'],
          ['file', 'from a file of labels'],
          ['record', 'from a cell of each record'],
          ['none', 'not known'],
        ],
        (next) => change(config.with('labels.truth', starts[next])),
      ),
      inner !== undefined &&
        h('input', {
          type: 'text',
          value: String(config.read(`labels.truth.${inner}`) ?? ''),
          spellcheck: 'false',
          'aria-label': inner === 'pattern' ? 'Pattern of the class' : 'Where it stands',
          'aria-invalid': error === undefined ? undefined : 'true',
          on: {
            input: ({ target }) =>
              target instanceof HTMLInputElement &&
              change(config.with(`labels.truth.${inner}`, target.value)),
          },
        }),
    ],
    reason,
    error,
  );
}

/** Fields that nobody can know for the person. */
export function decidedFields({ config, problems, change }: ShownConfig): Child {
  const number = (id: string, path: string, label: string, why: string): Child => {
    const value = config.read(path);
    const error = mistake(problems, path);
    return field(
      id,
      label,
      textInput(id, value === undefined || value === null ? '' : String(value), error !== undefined, (text) =>
        change(config.with(path, text.trim() === '' ? undefined : numberOrText(text.trim()))),
      ),
      why,
      error,
    );
  };
  const deploy = config.read('endpoint.deploy');
  return [
    number(
      'accuracy',
      'gate.minAccuracy',
      'Accuracy at least',
      'A share, as 0.9. Below it the gate fails: nothing is deployed or promoted. Empty: no gate.',
    ),
    number(
      'cap',
      'limits.maxCostUsd',
      'A run at most',
      'US dollars. It is refused, or stopped, before it costs more. Empty: the default.',
    ),
    field(
      'deploy',
      'Serve',
      choiceInput(
        'deploy',
        typeof deploy === 'string' ? deploy : 'never',
        [
          ['never', 'never automatically'],
          ['when-gate-passes', 'when the gate passes'],
        ],
        (next) => change(config.with('endpoint.deploy', next)),
      ),
      'An endpoint is billed by the hour until it expires.',
      mistake(problems, 'endpoint.deploy'),
    ),
  ];
}

/** Mistakes of a field, or of its contents. */
function mistake(problems: readonly ProblemRow[], path: string): string | undefined {
  const found = problems.filter(({ field: at }) => at === path || at.startsWith(`${path}.`));
  return found.length === 0
    ? undefined
    : found.map(({ field: at, message }) => (at === path ? message : `${at} ${message}`)).join('; ');
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
