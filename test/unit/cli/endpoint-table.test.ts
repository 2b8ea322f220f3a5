import { expect, it } from 'vitest';
import type { ServedLine } from '../../../src/app/endpoint/list-served.ts';
import { ENDPOINT_COLUMNS } from '../../../src/cli/commands/endpoints-list.ts';
import { toTable } from '../../../src/cli/show/table.ts';

const LINE: ServedLine = {
  pipeline: 'shapes',
  endpoint: 'inferdrop-dev-shapes-0123456789ab',
  status: 'InService',
  candidate: null,
  run: 'shapes/monday/000001',
  hardware: '1 × ml.m5.large',
  isPaidByUse: false,
  hourlyUsd: 0.1152,
  maxHourlyUsd: null,
  instances: 1,
  expiresAt: '2026-11-21T08:09:10.000Z',
};

it('an endpoint of unknown price does not look as if it cost by use', () => {
  const lines = [
    LINE,
    { ...LINE, hardware: '1 × ml.t2.medium', hourlyUsd: null, maxHourlyUsd: null },
    {
      ...LINE,
      ...{
        hardware: 'lambda, 1769 MB',
        isPaidByUse: true,
        hourlyUsd: null,
        instances: null,
        expiresAt: null,
      },
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
    'shapes    InService  shapes/monday/000001  1 × ml.m5.large       $0.12  2026-11-21 08:09',
    'shapes    InService  shapes/monday/000001  1 × ml.t2.medium  not known  2026-11-21 08:09',
    'shapes    InService  shapes/monday/000001  lambda, 1769 MB      by use  it is deleted',
    'shapes    InService  –                     –                         –  not known yet',
    'shapes    Creating   –                     –                         –  not known yet',
  ]);
});

it('an endpoint that is scaled shows the range of its price, and its instances now', () => {
  const [, line] = toTable([{ ...LINE, maxHourlyUsd: 0.9216, instances: 5 }], ENDPOINT_COLUMNS);
  expect(line).toContain('1 × ml.m5.large, 5 now  $0.12 to $0.92');
});
