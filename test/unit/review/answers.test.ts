import { expect, test } from 'vitest';
import { cvatLabels, cvatXml } from '../../../src/review/cvat-xml.ts';
import { AnswerJudge } from '../../../src/review/judge-answers.ts';
import { labelStudioConfig, labelStudioTask } from '../../../src/review/label-studio-tasks.ts';
import { readAnswers } from '../../../src/review/read-answers.ts';
import { reviewCsv } from '../../../src/review/review-csv.ts';
import {
  blindPictureName,
  idInPictureName,
  pictureName,
  type ReviewTask,
  taskId,
  toBlind,
} from '../../../src/review/review-task.ts';
import { xmlEvents } from '../../../src/review/xml-events.ts';

const CLASSES = ['cat', 'dog', '=1+1', '"<&>\''];
const KEY = 'incoming/pets/monday/a.png';
const ID = taskId(KEY, 0);
const NAME = pictureName(KEY, 0, 'image/png');
const TASK: ReviewTask = {
  id: ID,
  key: KEY,
  recordIndex: 0,
  label: 'cat',
  predicted: 'dog',
  score: 0.75,
  picture: `images/${NAME}`,
};

test('the name of a picture is safe whatever the key is, and tells the record', () => {
  for (const key of [
    '../../etc/passwd',
    'C:\\x\\..\\y',
    'a/\u202egnp.exe',
    '=cmd|x.png',
    'ä ö.JPEG',
    `${'x'.repeat(900)}.png`,
  ]) {
    const name = pictureName(key, 7, 'image/jpeg');
    expect(name).toMatch(/^[A-Za-z0-9-]{1,60}\.jpg$/);
    expect(idInPictureName(`folder/${name}`)).toBe(taskId(key, 7));
  }
  expect(taskId('a', 1)).not.toBe(taskId('a', 11));
});

test('a task of Label Studio has the prediction beside the label', () => {
  expect(labelStudioTask(TASK, { run: 'pets/monday/000001' })).toEqual({
    data: { image: TASK.picture, id: ID, key: KEY, record_index: 0, label: 'cat' },
    predictions: [
      {
        model_version: 'pets/monday/000001',
        score: 0.75,
        result: [{ from_name: 'label', to_name: 'image', type: 'choices', value: { choices: ['dog'] } }],
      },
    ],
  });
});

test('a blind task tells neither the label nor the prediction, nor a name that may', () => {
  const task = toBlind({ ...TASK, picture: `images/${blindPictureName(ID, 'image/png')}` });
  expect(labelStudioTask(task, { run: 'pets/monday/000001' })).toEqual({
    data: { image: task.picture, id: ID },
  });
  expect(idInPictureName(task.picture ?? '')).toBe(ID);
  const subject = { run: 'pets/monday/000001', classes: ['bird'] };
  const written = [...reviewCsv([task]), ...cvatXml([task], subject), labelStudioConfig(subject, 'blind')];
  for (const told of ['cat', 'dog', '0.75', KEY, '$key', '$label'])
    expect(written.join('')).not.toContain(told);
  // A record without a picture is found by its name only.
  expect(toBlind({ ...TASK, picture: null })).toMatchObject({ key: KEY, label: null, predicted: null });
});

test('the labeling interface of Label Studio has a choice for each class', () => {
  const events = [...xmlEvents(labelStudioConfig({ classes: CLASSES }, 'shown'))];
  const choices = events.flatMap((event) =>
    event.type === 'open' && event.name === 'Choice' ? [event.attributes.get('value')] : [],
  );
  expect(choices).toEqual(CLASSES);
});

const annotation = (choices: readonly string[], more: object = {}) => ({
  completed_by: 1,
  was_canceled: false,
  updated_at: '2026-03-01T12:00:00.123456Z',
  result: [{ type: 'choices', from_name: 'label', to_name: 'image', value: { choices } }],
  ...more,
});
const exported = (...annotations: object[]) =>
  JSON.stringify([{ id: 3, data: { id: ID, key: KEY }, annotations, predictions: [1] }]);

test('answers of Label Studio are read with who and when; skipped tasks have none', () => {
  const people = [{ id: 4, email: 'ann@example.com' }, 2];
  const [ann, two] = people.map((completed_by) => annotation(['cat'], { completed_by }));
  expect(readAnswers(exported(ann!, two!, annotation(['dog'], { was_canceled: true })), CLASSES)).toEqual({
    answers: ['ann@example.com', 'label-studio user 2'].map((by) => ({
      id: ID,
      label: 'cat',
      place: `task 3 ("${KEY}")`,
      by,
      at: '2026-03-01T12:00:00.123Z',
    })),
    problems: [],
  });
});

test.each([
  ['no JSON', '[1', 'the file must be a list of tasks'],
  ['an export in JSON-MIN', `[{"image": "x", "id": 3, "choice": "cat"}]`, 'task 1: data:'],
  ['two choices', exported(annotation(['cat', 'dog'])), 'must have one choice, has 2'],
  ['tasks of another source', `[{"id": 1, "data": {"image": "x"}, "annotations": []}]`, 'task 1: data.id:'],
  ['another document of XML', '<html/>', 'the file must be annotations of CVAT, is <html>'],
  ['a document type', '<!DOCTYPE annotations><annotations/>', 'line 1: a document type'],
  [
    'a picture of another review',
    cvat('cat.png', 'cat', 'true'),
    'image "cat.png" is not the name of a picture',
  ],
  [
    'a tag without the attribute',
    `<annotations><image name="${NAME}"><tag label="cat"/></image></annotations>`,
    'must have the attribute "reviewed"',
  ],
  ['a table of another kind', 'key,label\na,b\n', 'line 1 must be the header with id and reviewed_label'],
])('%s is refused with its place', (_what, text, problem) => {
  expect(readAnswers(text, CLASSES).problems).toEqual([expect.stringContaining(problem)]);
});

function cvat(name: string, label: string, reviewed: string): string {
  return `<annotations><meta><task><assignee><username>ann</username></assignee></task></meta>
    <image id="0" name="${name}"><tag label="${label}" source="manual"><attribute name="reviewed">${reviewed}</attribute></tag></image></annotations>`;
}

test('answers of CVAT are the tags that were looked at; the predictions alone are none', () => {
  expect(
    readAnswers(
      [...cvatXml([{ ...TASK, picture: NAME }], { run: 'pets/monday/000001', classes: CLASSES })].join(''),
      CLASSES,
    ),
  ).toEqual({
    answers: [],
    problems: [],
  });
  expect(readAnswers(cvat(`images/${NAME}`, 'cat', 'true'), CLASSES).answers).toEqual([
    { id: ID, label: 'cat', place: `image "images/${NAME}"`, by: 'ann', at: undefined },
  ]);
  expect(JSON.parse(cvatLabels({ classes: CLASSES })).map(({ name }: { name: string }) => name)).toEqual(
    CLASSES,
  );
});

test('the table holds no formula, and what is filled in comes back', () => {
  const tasks = [
    TASK,
    {
      ...TASK,
      id: taskId('=cmd()', 0),
      key: '=cmd()',
      label: '=1+1',
      predicted: 'cat',
      score: null,
      picture: null,
    },
  ];
  const [header, first, second] = [...reviewCsv(tasks)];
  expect(header).toBe('id,key,record_index,line,record_id,picture,label,predicted,score,reviewed_label\r\n');
  expect(first).toBe(`${ID},${KEY},0,,,images/${NAME},cat,dog,0.75,\r\n`);
  expect(second).toBe(`${taskId('=cmd()', 0)},"'=cmd()",0,,,,"'=1+1",cat,,\r\n`);
  const filled = `\ufeff${header}${first}${second!.trimEnd()}'=1+1\r\n`;
  expect(readAnswers(filled, CLASSES)).toEqual({
    answers: [
      { id: taskId('=cmd()', 0), label: '=1+1', place: `line 3 ("'=cmd()")`, by: undefined, at: undefined },
    ],
    problems: [],
  });
});

const record = (key: string, suspect = false) => ({
  key,
  recordIndex: 0,
  label: 'cat',
  predicted: 'dog',
  score: 0.5,
  wrong: true,
  right: false,
  suspect,
});
const answer = (key: string, label: string, place = key) => ({
  id: taskId(key, 0),
  label,
  place,
  by: undefined,
  at: undefined,
});

test('everything that is wrong with the answers is named at once', () => {
  const answers = [
    ...[answer('a', 'cat'), answer('a', 'dog', 'a again')],
    ...[
      { ...answer('c', 'cat'), by: 'ann' },
      { ...answer('c', 'dog'), by: 'ben' },
    ],
    ...[answer('b', 'cow'), answer('z', 'cat')],
  ];
  const judge = new AnswerJudge('p/d/000001', CLASSES, answers);
  for (const key of ['a', 'b', 'c']) judge.meet(record(key));
  expect(judge.problems()).toEqual([
    'a has different answers: "cat", "dog"',
    'b: "cow" is not a class of p/d/000001',
    'z is not a predicted input of p/d/000001',
  ]);
});

test('a row of the table whose quotes do not close hides no answers', () => {
  const { problems } = readAnswers('id,key,reviewed_label\ni1,a,cat\ni2,"b,cat\ni3,c,cat\n', ['cat']);
  expect(problems).toEqual([expect.stringMatching(/^line 3 must have quotes that close/)]);
});
