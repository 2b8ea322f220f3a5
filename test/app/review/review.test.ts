import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { replaceLabels } from '../../../src/app/plan/write/replace-labels.ts';
import { addToReviews } from '../../../src/app/records/reviews.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { chooseRecords } from '../../../src/app/review/choose-records.ts';
import { importAnswers } from '../../../src/app/review/import-answers.ts';
import { readPicture } from '../../../src/app/review/read-picture.ts';
import { taskId } from '../../../src/review/review-task.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { frozenDrop, PARTS } from '../../support/drop-fixture.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { reconciledRun, RUN, type RunInput, runKeys } from '../../support/report-run.ts';

const clock = () => new Date('2026-11-21T10:05:00.000Z');
const PREFIX = bucketLayout.dropFolder(runKeys());
const NONE = { wrong: false, suspect: false, unsure: undefined, random: undefined, controls: false };

const input = (name: string, ...scores: number[]): RunInput => ({
  name: `${name}.png`,
  output: JSON.stringify({ predictions: [scores] }),
});

// Thresholds: circle (0.9 + 0.7 + 0.05) / 3 = 0.55, square (0.8 + 0.6) / 2 = 0.7: 3-circle is suspect, 4-square only wrong.
const DROP = [
  input('1-circle', 0.9, 0.05, 0.05),
  input('2-circle', 0.7, 0.2, 0.1),
  input('3-circle', 0.05, 0.9, 0.05),
  input('4-square', 0.5, 0.4, 0.1),
  input('5-square', 0.1, 0.8, 0.1),
];

/** A run whose labels come from the keys, and a pipeline that reads them from a file where `path` is given. */
async function reported(path?: string) {
  const { store, shards } = reconciledRun(DROP, { perShard: 2 });
  for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
  const logs = memoryEngineLogs();
  await writeReport({ run: runKeys(), startedAt: clock().toISOString() }, { store, clock, logs, thumbnail });
  const truth = path === undefined ? { from: 'key', pattern: '([a-z]+)\\.png$' } : { from: 'file', path };
  const config = {
    model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
    labels: { classes: ['circle', 'square', 'star'], truth },
  };
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(config));
  const drop = await frozenDrop({ files: Object.fromEntries(DROP.map(({ name }) => [name, 1])) });
  for (const key of [bucketLayout.frozen(PARTS), bucketLayout.manifest(PARTS)])
    store.put(key, drop.text(key)!);
  return store;
}

const table = (answers: Record<string, string>) =>
  [
    'id,key,reviewed_label',
    ...Object.entries(answers).map(
      ([name, label]) => `${taskId(`${PREFIX}${name}.png`, 0)},${name},${label}`,
    ),
  ].join('\r\n');

test.each([
  [{ wrong: true }, ['3-circle', '4-square']],
  [{ suspect: true }, ['3-circle']],
  [{ unsure: 1 }, ['4-square']],
  [{ random: 5 }, DROP.map(({ name }) => name.slice(0, -4))],
])('%j is a choice of records, with their inputs', async (choice, names) => {
  const { records, subject, oneRecord } = await chooseRecords(await reported(), runKeys(), {
    ...NONE,
    ...choice,
  });
  expect(records.map(({ key }) => key).sort()).toEqual(names.map((name) => `${PREFIX}${name}.png`));
  expect(subject).toEqual({ run: RUN, classes: ['circle', 'square', 'star'] });
  expect(oneRecord).toBe(true);
  for (const { key, input: found } of records) expect(found.name).toBe(key);
});

test('a choice of nothing, a run without a report and one without probabilities are refused by name', async () => {
  const store = await reported();
  const refused = (run = runKeys(), choice = { ...NONE, suspect: true }) => chooseRecords(store, run, choice);
  await expect(refused(runKeys('shapes/friday/000001'))).rejects.toMatchObject({ name: 'NothingToReview' });
  const key = bucketLayout.reportJson(runKeys());
  store.put(key, JSON.stringify({ ...JSON.parse(store.text(key)!), suspectLabels: null }));
  await expect(refused()).rejects.toThrow('has no suspect labels');
  for (const file of store.keys(bucketLayout.rowsFolder(runKeys()))) store.remove(file);
  await expect(refused(runKeys(), { ...NONE, wrong: true })).rejects.toThrow('has no records of this choice');
});

test('a picture is that which the model has seen', async () => {
  const store = await reported();
  const { records } = await chooseRecords(store, runKeys(), { ...NONE, suspect: true });
  const png = Buffer.from('89504e470d0a1a0a', 'hex');
  const entry = (etag?: string) => ({ ...records[0]!.input, content: etag ?? 'e' });
  expect(await readPicture(store, entry())).toEqual({ missing: 'is not there any more' });
  const { etag } = store.put(records[0]!.key, png);
  expect(await readPicture(store, entry(etag))).toMatchObject({ mediaType: 'image/png' });
  expect(await readPicture(store, entry())).toEqual({ missing: 'has changed since it was predicted' });
  const text = store.put(records[0]!.key, 'a,b');
  expect(await readPicture(store, entry(text.etag))).toEqual({ missing: 'is not an image' });
  expect(await readPicture(store, { ...entry(), size: 2 ** 30 })).toEqual({
    missing: 'is larger than 67.1 MB',
  });
});

test('in a file of places answers are places, so that it can still be read', async () => {
  const store = await reported('labels.csv');
  const plan = JSON.parse(store.text(bucketLayout.plan(runKeys()))!);
  const reading = { numbers: 'index', hasNumbers: true, isSet: false, from: '', examples: [], counts: [] };
  store.put(bucketLayout.plan(runKeys()), JSON.stringify({ ...plan, labels: { ...plan.labels, reading } }));
  store.put(`${PREFIX}labels.csv`, 'key,label\n3-circle.png,0\n4-square.png,1\n');
  const { text } = await importAnswers({ store, clock }, runKeys(), {
    text: table({ '3-circle': 'square' }),
    by: 'ann',
  });
  expect(text.split('\n').map((row) => row.split(',').slice(0, 2).join())).toEqual([
    ...['key,label', '3-circle.png,1', '4-square.png,1', ''],
  ]);
});

test('answers are merged into the label file as it is now, and counted against the run', async () => {
  const store = await reported('labels.csv');
  const now =
    'site,key,label\nA,1-circle.png,circle\nB,2-circle.png,star\nA,3-circle.png,circle\nC,4-square.png,square\n';
  store.put(`${PREFIX}labels.csv`, now);
  const review = await importAnswers({ store, clock }, runKeys(), {
    text: table({ '3-circle': 'square', '4-square': 'square', '1-circle': 'circle', '5-square': 'square' }),
    by: 'ann',
  });
  const by = `ann,${clock().toISOString()},shown`;
  expect(review.text).toBe(
    [
      'site,key,label,reviewed_by,reviewed_at,reviewed_how',
      `A,1-circle.png,circle,${by}`,
      'B,2-circle.png,star,,,',
      `A,3-circle.png,square,${by}`,
      `C,4-square.png,square,${by}`,
      `,5-square.png,square,${by}`,
      '',
    ].join('\n'),
  );
  expect(review).toMatchObject({
    reviewed: 4,
    agreed: 3,
    changed: 1,
    asPredicted: 3,
    isRead: true,
  });
  // The command writes it: reading answers leaves the bucket as it is.
  expect(store.text(`${PREFIX}labels.csv`)).toBe(now);
});

test('a label file that was uploaded since the answers were merged is kept, as is one of other bytes than UTF-8', async () => {
  const store = await reported('labels.csv');
  const merged = () =>
    importAnswers({ store, clock }, runKeys(), { text: table({ '3-circle': 'square' }), by: 'ann' });
  const replace = ({ text, over }: { text: string; over: string | null }) =>
    replaceLabels(store, runKeys(), Buffer.from(text), over);
  const key = `${PREFIX}labels.csv`;
  const first = await merged();
  store.put(key, 'key,label\n1-circle.png,circle\n');
  await expect(replace(first)).rejects.toThrow('has changed since it was read: nothing was replaced');
  const second = await merged();
  store.put(key, 'key,label\n2-circle.png,star\n');
  await expect(replace(second)).rejects.toMatchObject({ name: 'LabelsNotReplaced' });
  expect(store.text(key)).toBe('key,label\n2-circle.png,star\n');
  await replace(await merged());
  expect(store.text(key)).toContain('2-circle.png,star,,,\n3-circle.png,square,ann');
  store.put(key, Buffer.from('key,label\ncaf\u00e9.png,star\n', 'latin1'));
  await expect(merged()).rejects.toThrow('must be UTF-8');
});

test('where the labels come from the keys, the file has those of the run and the answers', async () => {
  const store = await reported();
  const answers = { text: table({ '3-circle': 'square' }), by: 'ann' };
  const { text, isRead } = await importAnswers({ store, clock }, runKeys(), answers);
  expect(isRead).toBe(false);
  expect(text.split('\n').slice(0, 5)).toEqual([
    'key,label,reviewed_by,reviewed_at,reviewed_how',
    '1-circle.png,circle,,,',
    '2-circle.png,circle,,,',
    `3-circle.png,square,ann,${clock().toISOString()},shown`,
    '4-square.png,square,,,',
  ]);
});

test('everything that is wrong with the answers is told at once', async () => {
  const store = await reported('labels.csv');
  const read = (text: string) => importAnswers({ store, clock }, runKeys(), { text, by: 'ann' });
  await expect(read(table({ '1-circle': 'cow', '9-circle': 'circle' }))).rejects.toMatchObject({
    name: 'ReviewRefused',
    message: expect.stringMatching(
      /line 2 \("1-circle"\): "cow" is not a class[^]*line 3 \("9-circle"\) is not a predicted input/,
    ),
  });
  await expect(read(table({ '1-circle': '' }))).rejects.toThrow('it has no answers');
});

test('a label file that is not there is written anew where it is CSV, and JSON lines are asked for by name', async () => {
  const answers = { text: table({ '3-circle': 'square' }), by: 'ann' };
  const { text, isRead, over } = await importAnswers(
    { store: await reported('labels.csv'), clock },
    runKeys(),
    answers,
  );
  expect([isRead, over, text.split('\n').length]).toEqual([true, null, DROP.length + 2]);
  await expect(
    importAnswers({ store: await reported('labels.jsonl'), clock }, runKeys(), answers),
  ).rejects.toThrow('the drop does not have labels.jsonl, the file of labels.truth');
});

test('a blind review changes a label if two people say the same, and proposes nothing again that is settled', async () => {
  const store = await reported('labels.csv');
  const choice = { ...NONE, wrong: true, controls: true };
  const lots: number[] = [];
  const names = async () => {
    const { records, predictedBy, drawn } = await chooseRecords(store, runKeys(), choice);
    expect(predictedBy).toEqual(runKeys());
    const ids = records.map(({ key, recordIndex }) => taskId(key, recordIndex));
    lots.push(ids.filter((id) => drawn.has(id)).length);
    await addToReviews(store, predictedBy, { blind: ids });
    return records.map(({ key }) => key.slice(PREFIX.length, -'.png'.length)).sort();
  };
  const take = async (by: string, answers: Record<string, string>) => {
    const review = await importAnswers({ store, clock }, runKeys(), { text: table(answers), by });
    await addToReviews(store, review.predictedBy, { readings: [...review.readings] });
    return review;
  };
  const first = await names();
  // Both mistakes, and two right answers.
  expect(first).toHaveLength(4);
  expect(first).toEqual(expect.arrayContaining(['3-circle', '4-square']));
  const right = first.filter((name) => !['3-circle', '4-square'].includes(name));
  const agreed = Object.fromEntries(right.map((name) => [name, name.slice(2)]));
  const ann = await take('ann', { '3-circle': 'square', '4-square': 'square', ...agreed });
  expect(ann).toMatchObject({ reviewed: 4, agreed: 3, changed: 0, waiting: 1 });
  expect(ann.text).not.toContain('3-circle.png,square');
  const second = await names();
  expect(second).toContain('3-circle');
  expect(second).not.toContain('4-square');
  // A record that a second person reads was drawn once.
  expect(lots).toEqual([4, second.length - 1]);
  const ben = await take('ben', { '3-circle': 'square' });
  expect(ben).toMatchObject({ reviewed: 1, agreed: 0, changed: 1, waiting: 0 });
  expect(ben.text).toContain(`3-circle.png,square,"ann, ben",${clock().toISOString()},blind`);
  await expect(chooseRecords(store, runKeys(), choice)).rejects.toThrow('that are not reviewed yet');
});

test('suspect labels are chosen for their looks, so that only the right answers among them are drawn by lot', async () => {
  const choice = { ...NONE, suspect: true, controls: true };
  const { records, drawn } = await chooseRecords(await reported('labels.csv'), runKeys(), choice);
  expect(records.some(({ wrong }) => wrong)).toBe(true);
  for (const { key, recordIndex, wrong } of records) expect(drawn.has(taskId(key, recordIndex))).toBe(!wrong);
});

test('what a review has shown with its prediction is no blind answer, whoever says so', async () => {
  const store = await reported('labels.csv');
  const id = taskId(`${PREFIX}3-circle.png`, 0);
  await addToReviews(store, runKeys(), { blind: [id] });
  await addToReviews(store, runKeys(), { shown: [id] });
  const review = await importAnswers({ store, clock }, runKeys(), {
    text: table({ '3-circle': 'square' }),
    by: 'ann',
  });
  expect(review.readings).toMatchObject([{ how: 'shown' }]);
  expect(review).toMatchObject({ changed: 1, waiting: 0 });
});
