import { listServed, type ServedLine } from '../../app/endpoint/list-served.ts';
import { utc } from '../../text/dates.ts';
import { dollars } from '../../text/figures.ts';
import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, STAGE } from '../define-command.ts';
import { statusColor } from '../show/status-color.ts';
import { type Column, right, toTable } from '../show/table.ts';
import { visible } from '../show/terminal.ts';

/** Columns of the list of endpoints. */
export const ENDPOINT_COLUMNS: readonly Column<ServedLine>[] = [
  { title: 'PIPELINE', text: ({ pipeline }) => visible(pipeline) },
  {
    title: 'STATUS',
    isStatus: true,
    text: ({ status, candidate, change }) => {
      if (candidate !== null) return `${status}, candidate ${candidate.status}`;
      return change?.action === 'deploy' ? `${status}, deploying ${visible(change.run ?? '')}` : status;
    },
  },
  {
    title: 'RUN',
    text: ({ run, agrees }) => visible(`${run ?? '–'}${agrees === null ? '' : `, ${agrees} agrees`}`),
  },
  { title: 'HARDWARE', text: toHardware },
  right('COST/HOUR', toCost),
  {
    title: 'UNTIL (UTC)',
    // Its end is decided when its first model has passed the test.
    text: ({ expiresAt, run }) =>
      expiresAt !== null ? utc(expiresAt) : run === null ? 'not known yet' : 'it is deleted',
  },
];

/** The hardware as it was deployed, and the instances that autoscaling has made of it. */
function toHardware({ hardware, instances }: Pick<ServedLine, 'hardware' | 'instances'>): string {
  if (hardware === null) return '–';
  return instances === null || hardware.startsWith(`${instances} ×`)
    ? hardware
    : `${hardware}, ${instances} now`;
}

/** Cost by the hour, or by use; the price list does not have every instance type. */
function toCost({
  hourlyUsd,
  maxHourlyUsd,
  hardware,
  isPaidByUse,
}: Pick<ServedLine, 'hourlyUsd' | 'maxHourlyUsd' | 'hardware' | 'isPaidByUse'>): string {
  if (hourlyUsd !== null)
    return `${dollars(hourlyUsd)}${maxHourlyUsd === null ? '' : ` to ${dollars(maxHourlyUsd)}`}`;
  if (hardware === null) return '–';
  return isPaidByUse ? 'by use' : 'not known';
}

/** `inferdrop endpoints`: lists served endpoints and their cost. */
export const command = defineCommand({
  about: 'Lists what serves each pipeline, until when, and what it costs.',
  examples: ['inferdrop endpoints', 'inferdrop endpoints list --json'],
  page: 'docs/serving.md',
  options: { ...JSON_FORM, ...STAGE },
  async run({ options }, terminal) {
    const lines = await listServed(await connect(options.stage));
    if (options.json) terminal.print(JSON.stringify(lines));
    else if (lines.length === 0) terminal.note('nothing is served; inferdrop endpoints deploy PIPELINE');
    else
      for (const line of toTable(lines, ENDPOINT_COLUMNS, (cell) => statusColor(cell, terminal.color)))
        terminal.print(line);
    return 0;
  },
});
