import { expect, it } from 'vitest';
import type { ServedLine } from '../../../src/app/endpoint/list-served.ts';
import { ENDPOINT_COLUMNS } from '../../../src/cli/commands/endpoints-list.ts';
import { toTable } from '../../../src/cli/show/table.ts';

const LINE: ServedLine = {
  pipeline: 'shapes',
  endpoint: 'inferdrop-dev-shapes-0123456789ab',
  status: 'InService',
  candidate: null,
  change: null,
  run: 'shapes/monday/000001',
  agrees: null,
  hardware: '1 × ml.m5.large',
  isPaidByUse: false,
  hourlyUsd: 0.1152,
  maxHourlyUsd: null,
  instances: 1,
  expiresAt: '2026-11-21T08:09:10.000Z',
};

it('a change is shown from its beginning on, before and after it has a candidate', () => {
  const change = { action: 'deploy', run: 'shapes/tuesday/000001' } as const;
  const candidate = { endpoint: 'e', status: 'Creating' };
  const lines = [LINE, { ...LINE, change }, { ...LINE, change, candidate }];
  const [, ...rows] = toTable(lines, ENDPOINT_COLUMNS);
  expect(rows.map((row) => row.split(/ {2,}/)[1])).toEqual([
    'InService',
    'InService, deploying shapes/tuesday/000001',
    'InService, candidate Creating',
  ]);
});

it('an endpoint of unknown price does not look as if it cost by use', () => {
  const lines = [
    LINE,
    { ...LINE, hardware: '1 × ml.t2.medium', hourlyUsd: null, maxHourlyUsd: null },
    {
      ...LINE,
      hardware: 'lambda, 1769 MB',
      isPaidByUse: true,
      hourlyUsd: null,
      instances: null,
      expiresAt: null,
    },
    { ...LINE, run: null, hardware: null, hourlyUsd: null, instances: null, expiresAt: null },
    {
      ...LINE,
      status: 'Creating',
      run: null,
      hardware: null,
      hourlyUsd: null,
      maxHourlyUsd: null,
      expiresAt: null,
    },
  ];
  expect(toTable(lines, ENDPOINT_COLUMNS)).toEqual([
    'PIPELINE  STATUS     RUN                   HARDWARE          COST/HOUR  UNTIL (UTC)',
    'shapes    InService  shapes/monday/000001  1 × ml.m5.large       $0.12  2026-11-21 08:09:10',
    'shapes    InService  shapes/monday/000001  1 × ml.t2.medium  not known  2026-11-21 08:09:10',
    'shapes    InService  shapes/monday/000001  lambda, 1769 MB      by use  it is deleted',
    'shapes    InService  –                     –                         –  not known yet',
    'shapes    Creating   –                     –                         –  not known yet',
  ]);
});

it('an endpoint that is scaled shows the range of its price, and its instances now', () => {
  const [, line] = toTable([{ ...LINE, maxHourlyUsd: 0.9216, instances: 5 }], ENDPOINT_COLUMNS);
  expect(line).toContain('1 × ml.m5.large, 5 now  $0.12 to $0.92');
});

it('the run that deployed an endpoint is named, and the newest that agrees', () => {
  const [, ...rows] = toTable([LINE, { ...LINE, agrees: 'shapes/tuesday/000001' }], ENDPOINT_COLUMNS);
  expect(rows.map((row) => row.split(/ {2,}/)[2])).toEqual([
    'shapes/monday/000001',
    'shapes/monday/000001, shapes/tuesday/000001 agrees',
  ]);
});
