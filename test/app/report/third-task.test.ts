import { expect, test } from 'vitest';
import { readShardEntries } from '../../../src/app/records/reconciled.ts';
import { openTruth } from '../../../src/app/report/open-truth.ts';
import { ShardFold } from '../../../src/app/report/shard-fold.ts';
import { evidenceOf } from '../../../src/gate/evidence-of.ts';
import { judgeGate } from '../../../src/gate/judge-gate.ts';
import { Ledger } from '../../../src/judging/ledger.ts';
import { ClassList } from '../../../src/label/class-list.ts';
import { countOutcome } from '../../../src/metric/count-outcome.ts';
import { metricsOf } from '../../../src/metric/metrics.ts';
import { mergeStored } from '../../../src/metric/stored-tally.ts';
import { createTally } from '../../../src/metric/tally.ts';
import { OutputError } from '../../../src/prediction/output-error.ts';
import { buildReport } from '../../../src/report/build-report.ts';
import { reportHtml } from '../../../src/report/page/report-html.ts';
import { readRows } from '../../../src/report/table/read-rows.ts';
import type { JudgeAnswer, Task } from '../../../src/tasks/task.ts';
import { planWith, reconciledRun, runKeys } from '../../support/report-run.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const NAMES = ['even', 'odd'];

/** A task that no class list knows: an answer is a number, and right if it is even or odd as its label says. */
const parity: Pick<Task, 'fold'> = {
  fold() {
    const tally = createTally(new ClassList(NAMES), 0);
    const truthOf = (name: string) => ({ id: NAMES.indexOf(name), name });
    return {
      tally,
      truthOf,
      shown: () => [],
      *answers(output): Generator<JudgeAnswer> {
        for (const text of Buffer.from(output).toString().trim().split('\n'))
          yield (label, record) => {
            const number = Number(text);
            if (!Number.isInteger(number)) throw new OutputError('unreadable-output', `${text} is no number`);
            const truth = label === undefined ? undefined : truthOf(label);
            const predicted = Math.abs(number % 2);
            const unscored = {
              scores: undefined,
              scoreIndex: undefined,
              distribution: false,
              confidence: undefined,
            };
            countOutcome(tally, { ...record, ...unscored, truth: truth?.id, predicted });
            const isRight = truth && truth.id === predicted;
            return { truth, isRight, prediction: text, score: null, topK: null };
          };
      },
    };
  },
};

test('a third task passes fold, gate and page', async () => {
  const inputs = Array.from({ length: 40 }, (_, at) => ({
    name: `${at}-${NAMES[at % 2]}.png`,
    output: at === 7 ? 'seven' : String(at < 4 ? at + 1 : at),
  }));
  const { store, shards } = reconciledRun(inputs);
  const plan = planWith({ gate: null });
  const entries = [...(await readShardEntries(store, runKeys(), shards[0]!))!];
  const fold = new ShardFold(plan, await openTruth(store, plan, entries), undefined, parity);
  for (const entry of entries) fold.add(entry, await store.readBytes(entry.output!));
  const { stored, parquet } = fold.finish(0);

  const rows = (await Array.fromAsync(readRows(parquet))).flat();
  expect(rows[0]).toMatchObject({ truth: 'even', prediction: '1', correct: false });
  expect(rows[7]).toMatchObject({ truth: 'odd', prediction: null, error: 'unreadable-output' });
  expect(rows[39]).toMatchObject({ truth: 'odd', prediction: '39', correct: true });

  const tally = createTally(new ClassList(NAMES), 0);
  const ledger = new Ledger();
  ledger.merge(stored.ledger, mergeStored(tally, stored.tally));
  expect(ledger).toMatchObject({ asked: 40, labeled: 40, answered: 39, right: 35 });
  const metrics = metricsOf(tally, [1]);
  const gate = judgeGate({ minAccuracy: 0.8 }, evidenceOf({ ledger, metrics, classes: NAMES, first: false }));
  expect(gate).toMatchObject({ verdict: 'passed' });
  expect(gate.explanation).toContain('35 of 40');

  const frame = { ...syntheticReport(2, 10), gate, failures: stored.failures, comparison: null };
  const page = reportHtml(buildReport(frame, tally, metrics));
  expect(page).toContain('35 of 39 right');
  expect(page).toContain('seven is no number');
});
