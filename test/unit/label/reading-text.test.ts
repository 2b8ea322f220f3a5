import { expect, test } from 'vitest';
import type { LabelReading, Numbers } from '../../../src/label/label-check.ts';
import { NamedInputs } from '../../../src/label/label-columns.ts';
import { LabelFileUnreadable } from '../../../src/label/label-row.ts';
import { labelRows } from '../../../src/label/label-rows.ts';
import { LabelTally } from '../../../src/label/label-tally.ts';
import { READING_TITLE, readingLines, readingText } from '../../../src/label/reading-text.ts';
import { judgeLabels } from '../../../src/plan/judge/judge-labels.ts';

const golden = (name: string) => `../../golden/labels/${name}.txt`;

interface Case {
  readonly classes: readonly string[];
  readonly rows: string;
  readonly numbers?: Numbers;
}

const PETS = ['cat', 'dog', 'bird'];
const NUMBERED = ['1', '2', '3'];
const CASES: Readonly<Record<string, Case>> = {
  'floats of pandas': { classes: NUMBERED, rows: 'key,label\na.png,1.0\nb.png,2.0\nc.png,3.0\n' },
  'places for names from 1': { classes: NUMBERED, rows: 'key,label\na.png,0\nb.png,1\nc.png,2\n' },
  'a small drop without the last class': {
    classes: NUMBERED,
    rows: 'key,label\na.png,1\nb.png,2\nc.png,1\n',
  },
  'the same with labels.numbers': {
    classes: NUMBERED,
    rows: 'key,label\na.png,1\nb.png,2\nc.png,1\n',
    numbers: 'names',
  },
  'label 1 for the class 01': {
    classes: ['01', '02', '10'],
    rows: 'key,label\na.png,1\nb.png,2\nc.png,10\n',
  },
  'one-hot': { classes: PETS, rows: 'filename,dog,cat,bird\na.png,0,1,0\nb.png,0,0,1\nc.png,1,0,0\n' },
  'two ones in a row': {
    classes: PETS,
    rows: 'filename,cat,dog,bird\na.png,1,0,0\nb.png,1,1,0\nc.png,0,1,0\n',
  },
  'three columns without a header': { classes: PETS, rows: 'a.png,0,cat\nb.png,1,dog\nc.png,0,bird\n' },
  'two columns of labels': {
    classes: PETS,
    rows: 'file,label,class\na.png,cat,dog\nb.png,dog,dog\nc.png,bird,cat\n',
  },
  'places, a near miss and a missing value': {
    classes: PETS,
    rows: 'photo;species\na.png;0\nb.png;2.0\nc.png;nan\n',
  },
  'names in another case': { classes: PETS, rows: 'image,label\na,Cat\nb,dog\nc,brid\n' },
  'class names with blanks, in capitals': {
    classes: ['astronaut', 'coffee cup', 'temple'],
    rows: 'file,label\na.png,coffee cup\nb.png,Coffee_Cup\nc.png,Temple\n',
  },
  'letters for names': {
    classes: ['benign', 'malignant'],
    rows: 'file,diagnosis\na.png,B\nb.png,M\nc.png,B\n',
  },
  'the label last, after an id and measurements': {
    classes: ['benign', 'malignant'],
    rows: 'patient_id,file,mean_radius,diagnosis\np7,a.png,17.99,malignant\np8,b.png,13.54,benign\np9,c.png,20.57,malignant\n',
  },
  'a measurement': { classes: PETS, rows: 'image,target\na.png,151.5\nb.png,75.25\nc.png,141.1\n' },
};

/** The block of a label file, or why it's refused. */
async function blockOf({ classes, rows, numbers }: Case): Promise<string> {
  const keys = ['a.png', 'b.png', 'c.png'];
  let words = '';
  let isOneHot = false;
  const choose = (head: readonly (readonly string[])[]) => {
    const named = new NamedInputs(head, (cell) => cell);
    for (const key of keys) named.add(key);
    const chosen = named.decide({ classes, column: null, fields: [] });
    if (!('refusal' in chosen)) [words, isOneHot] = [chosen.words, typeof chosen.label === 'object'];
    return chosen;
  };
  async function* chunks() {
    yield Buffer.from(rows);
  }
  try {
    const read = (await Array.fromAsync(labelRows('labels.csv', chunks(), { choose }))).flat();
    const tally = new LabelTally({ classes, numbers: isOneHot ? 'names' : (numbers ?? null) });
    for (const { key, label } of read) tally.label(key, label);
    const found = tally.finish();
    if (!('refusal' in found.reading)) {
      const reading: LabelReading = {
        ...found.reading,
        isSet: numbers !== undefined,
        from: `labels.csv, ${words}, ${read.length} rows`,
      };
      return [READING_TITLE, ...readingText(readingLines(reading, found.check, classes)), ''].join('\n');
    }
    const truth = { from: 'file', path: 'labels.csv', column: null } as const;
    const about = {
      truth,
      strict: false,
      labelsFile: 'pipeline.json',
      minInputs: undefined,
      minLabeled: null,
      isEarly: false,
      isOneRecord: true,
      copies: 0,
    };
    const again = 'inferdrop pipeline put FOLDER --name pets and inferdrop rerun pets/july/000001';
    const { problems } = judgeLabels({ ...found, ...about, again });
    return problems.map(({ file, field, message }) => `${file}: ${field} ${message}\n`).join('');
  } catch (error) {
    if (!(error instanceof LabelFileUnreadable)) throw error;
    return `${error.message}\n`;
  }
}

test.each(Object.entries(CASES))('%s', async (name, labels) => {
  await expect(await blockOf(labels)).toMatchFileSnapshot(golden(name.replaceAll(/[ ,]+/g, '-')));
});
