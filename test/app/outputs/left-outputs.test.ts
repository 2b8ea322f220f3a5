import { expect, test } from 'vitest';
import { openOutputs } from '../../../src/app/outputs/open-outputs.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { planned, PREFIX } from '../../support/drive-transform.ts';
import { PARTS } from '../../support/drop-fixture.ts';
import { jobRecord } from '../../support/job-record.ts';

const job = jobRecord({ firstKey: `${PREFIX}c.png`, lastKey: `${PREFIX}m.png` });

test.each([
  ['no output at all', [], false],
  ['the output of its first input', ['c.png'], true],
  ['the output of its last input', ['m.png'], true],
  ['an output of one between', ['d/e.png'], true],
  ['outputs of the jobs before and after it', ['a.png', 'b.png', 'c', 'm.png.png', 'n.png', 'z.png'], false],
  ['the output of a pilot’s input between its own', ['g.png'], false],
  ['its own output after one of the pilot', ['g.png', 'h.png'], true],
])('a job of c.png to m.png that finds %s', async (_what, outputs, has) => {
  const { store, plan } = await planned({ files: { 'c.png': 1, 'g.png': 1, 'm.png': 1 } });
  for (const name of outputs) store.put(`${bucketLayout.predictions(PARTS)}${name}.out`);
  const withPilot = Plan.parse({ ...plan, pilot: [`${PREFIX}g.png`] });
  expect(await openOutputs(store, PARTS, plan).hasAny(job, withPilot)).toBe(has);
});
