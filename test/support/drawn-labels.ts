import { random } from './random.ts';

/** A label file of a known truth. */
export interface DrawnLabels {
  readonly classes: readonly string[];
  /** Names of the inputs, and the index of the class of each. */
  readonly inputs: readonly string[];
  readonly truth: readonly number[];
  readonly text: string;
  /** The setting that says how its numbers are meant; null if there's none. */
  readonly numbers: 'names' | 'index' | 'index-from-1' | null;
  /** Whether the file has one reading once `labels.numbers` is set. */
  readonly isReadable: boolean;
  /** Whether every label is exactly the name of another class: no rule can tell. */
  readonly isHidden: boolean;
  readonly about: string;
}

const WORDS = [
  'cat',
  'dog',
  'café',
  'Ångström',
  'New York',
  'a,b',
  'say "x"',
  'nan',
  'true',
  '7up',
  'naïve',
  'bird',
  'ship',
  'truck',
  'frog',
];

const CLASSES: Readonly<Record<string, (count: number) => string[]>> = {
  names: (count) => WORDS.slice(0, count),
  'numbers from 0': (count) => Array.from({ length: count }, (_, at) => String(at)),
  'numbers from 1': (count) => Array.from({ length: count }, (_, at) => String(at + 1)),
  padded: (count) => Array.from({ length: count }, (_, at) => String(at + 1).padStart(2, '0')),
  'other numbers': (count) => Array.from({ length: count }, (_, at) => String(3 * at + 2)),
  'names and numbers': (count) =>
    WORDS.slice(0, count).map((word, at) => (at % 2 === 1 ? word : String(at + 1))),
};

const WHOLE = /^\d+$/;
const FORMS: Readonly<Record<string, (name: string, index: number, next: () => number) => string>> = {
  name: (name) => name,
  'name, decomposed': (name) => name.normalize('NFD'),
  'name, blanks': (name) => ` ${name} `,
  'name, other case': (name) => name.toUpperCase(),
  'name as a float': (name) => (WHOLE.test(name) ? `${Number(name)}.0` : name),
  'name without zeros': (name) => (WHOLE.test(name) ? String(Number(name)) : name),
  index: (_, at) => String(at),
  'index as a float': (_, at) => `${at}.0`,
  'index by savetxt': (_, at) => `${at}.000000000000000000e+00`,
  'index, padded': (_, at) => String(at).padStart(3, '0'),
  'index from 1': (_, at) => String(at + 1),
  'index from 1 as a float': (_, at) => `${at + 1}.0`,
  mixed: (name, at, next) => (next() < 0.5 ? name : String(at)),
};

const LAYOUTS = [
  ...[
    'no header',
    'header',
    'other label title',
    'other key title',
    'other titles',
    'row numbers first',
    'three columns, no header',
  ],
  ...[
    'three columns',
    'label and predicted',
    'two label columns',
    'y and species',
    'one-hot',
    'one-hot, two ones',
  ],
  ...['one-hot, shuffled', 'key last', 'two key titles', 'semicolons'],
] as const;

/** Layouts without a reading that anybody could choose. */
const UNREADABLE = /two label columns|three columns, no header|y and species|two ones/;

/** Draws a label file: class names, a way to write labels and a layout, each of its own, 1 to 200 rows. */
export function drawLabels(seed: number): DrawnLabels {
  const next = random(seed);
  const below = (count: number): number => Math.floor(next() * count);
  const pick = <T>(of: readonly T[]): T => of[below(of.length)]!;
  const kind = pick(Object.keys(CLASSES));
  const count = pick([2, 3, 5, 10, 15]);
  const classes = CLASSES[kind]!(count);
  const form = pick(Object.keys(FORMS));
  const layout = pick(LAYOUTS);
  const rows = pick([1, 2, 5, 30, 200]);
  const inputs = Array.from(
    { length: rows },
    (_, at) => `${pick(['', 'deep/'])}${pick(['img', 'é', 'a b'])}${at}.png`,
  );
  const most = Math.min(count, pick([count, count, 2]));
  const truth = inputs.map(() => below(most));
  const labels = truth.map((at) => FORMS[form]!(classes[at]!, at, next));
  const isOneHot = layout.startsWith('one-hot');
  const table = layOut(layout, { classes, inputs, truth, labels }, below);
  const quote = (cell: string): string =>
    /[",;\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const delimiter = layout === 'semicolons' ? ';' : ',';
  return {
    classes,
    inputs,
    truth,
    text: `${table.map((row) => row.map(quote).join(delimiter)).join('\n')}\n`,
    numbers: settingOf(form, isOneHot),
    isReadable: !UNREADABLE.test(layout) && (form !== 'mixed' || isOneHot) && form !== 'name, other case',
    isHidden: !isOneHot && isHidden(labels, truth, classes),
    about: `${kind} | ${form} | ${layout} | ${count} classes, ${rows} rows`,
  };
}

function settingOf(form: string, isOneHot: boolean): DrawnLabels['numbers'] {
  if (isOneHot) return 'names';
  if (form === 'mixed') return null;
  if (form.startsWith('index from 1')) return 'index-from-1';
  return form.startsWith('index') ? 'index' : 'names';
}

/** Whether every label names a class, by its text or its value, and one of them another one than its own. */
function isHidden(labels: readonly string[], truth: readonly number[], classes: readonly string[]): boolean {
  const named = labels.map((label) => {
    const text = label.normalize('NFC').trim();
    const byName = classes.indexOf(text);
    if (byName >= 0 || !classes.every((name) => WHOLE.test(name))) return byName;
    return text === '' ? -1 : classes.findIndex((name) => Number(name) === Number(text));
  });
  return named.every((at) => at >= 0) && named.some((at, place) => at !== truth[place]);
}

function layOut(
  layout: (typeof LAYOUTS)[number],
  {
    classes,
    inputs,
    truth,
    labels,
  }: Pick<DrawnLabels, 'classes' | 'inputs' | 'truth'> & { readonly labels: readonly string[] },
  below: (count: number) => number,
): string[][] {
  const rows = inputs.map((key, at) => [key, labels[at]!] as const);
  const other = (): number => below(classes.length);
  switch (layout) {
    case 'no header':
      return rows.map((row) => [...row]);
    case 'header':
      return [
        [['key', 'filename', 'Path', 'image'][below(4)]!, ['label', 'class', 'Target'][below(3)]!],
        ...rows.map((row) => [...row]),
      ];
    case 'semicolons':
      return [['filename', 'label'], ...rows.map((row) => [...row])];
    case 'other label title':
      return [['filename', 'species'], ...rows.map((row) => [...row])];
    case 'other key title':
      return [['photo', 'label'], ...rows.map((row) => [...row])];
    case 'other titles':
      return [['photo', 'species'], ...rows.map((row) => [...row])];
    case 'row numbers first':
      return [['', 'filename', 'label'], ...rows.map((row, at) => [String(at % classes.length), ...row])];
    case 'three columns, no header':
      return rows.map(([key, label], at) => [key, String(at % 3), label]);
    case 'three columns':
      return [['filename', 'width', 'label'], ...rows.map(([key, label]) => [key, String(other()), label])];
    case 'label and predicted':
      return [
        ['filename', 'predicted', 'label'],
        ...rows.map(([key, label]) => [key, classes[other()]!, label]),
      ];
    case 'two label columns': {
      const isFirst = below(2) === 0;
      const cells = rows.map(([key, label]) =>
        isFirst ? [key, label, classes[other()]!] : [key, classes[other()]!, label],
      );
      return [['file', 'label', 'class'], ...cells];
    }
    case 'y and species':
      return [
        ['filename', 'x', 'y', 'species'],
        ...rows.map(([key, label]) => [key, String(other()), String(other()), label]),
      ];
    case 'key last':
      return [['label', 'filename'], ...rows.map(([key, label]) => [label, key])];
    case 'two key titles':
      return [['id', 'image', 'label'], ...rows.map(([key, label], at) => [String(at), key, label])];
    case 'one-hot':
    case 'one-hot, two ones':
    case 'one-hot, shuffled': {
      const order = classes.map((_, at) => at);
      if (layout === 'one-hot, shuffled') order.sort(() => below(2) - 0.5);
      const isOne = (at: number, place: number): boolean =>
        place === truth[at] ||
        (layout === 'one-hot, two ones' &&
          at === inputs.length - 1 &&
          place === (truth[at]! + 1) % classes.length);
      const cells = inputs.map((key, at) => [key, ...order.map((place) => (isOne(at, place) ? '1' : '0'))]);
      return [['filename', ...order.map((place) => classes[place]!)], ...cells];
    }
  }
}
