import {
  type AcceleratorUse,
  findAcceleratorUses,
  migrateAccelerator,
} from '../../app/endpoint/migrate-accelerators.ts';
import { PriceOverride } from '../../price/price-override.ts';
import { priceTable, resolveHourlyPrice } from '../../price/price-table.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { connect } from '../application.ts';
import { defaulted, defineCommand, flag, JSON_FORM, oneOfWords, STAGE } from '../define-command.ts';
import { awaitEndpointChange } from '../show/follow-endpoint.ts';
import { type Column, toTable } from '../show/table.ts';
import { visible } from '../show/terminal.ts';

const COLUMNS: readonly Column<AcceleratorUse>[] = [
  { title: 'WHERE', text: ({ kind, name }) => `${kind} ${visible(name)}` },
  {
    title: 'NOW',
    text: ({ instanceType, acceleratorType }) => `${instanceType} + ${acceleratorType ?? 'eia image'}`,
  },
  { title: 'BECOMES', text: ({ becomes }) => becomes },
  { title: 'CHANGED BY --apply', text: ({ ours }) => (ours ? 'yes' : 'no: not ours') },
];

/** `inferdrop accelerators migrate`: lists uses of Elastic Inference; with `--apply` they are migrated. */
export const command = defineCommand({
  about: 'Lists uses of Elastic Inference and their replacements; nothing is changed without --apply.',
  examples: ['inferdrop accelerators migrate', 'inferdrop accelerators migrate --to cpu --apply'],
  page: 'docs/serving.md',
  options: {
    to: defaulted('gpu', 'gpu|cpu', 'hardware that replaces it'),
    apply: flag('carry it out'),
    ...JSON_FORM,
    ...STAGE,
  },
  async run({ options }, terminal) {
    const hardware = oneOfWords('to', options.to, ['gpu', 'cpu']);
    const application = await connect(options.stage);
    const { store } = application;
    const to = hardware === 'gpu' ? 'replace' : 'cpu';
    const prices = await store.readText(bucketLayout.prices());
    const override = prices === undefined ? undefined : PriceOverride.parse(JSON.parse(prices));
    const region = process.env.AWS_REGION ?? '';
    const usdPerHour = (type: string) =>
      resolveHourlyPrice(type, region, { table: priceTable, override }).usd;
    const uses = await findAcceleratorUses({ ...application, usdPerHour }, to);
    if (options.json) terminal.print(JSON.stringify(uses));
    else if (uses.length === 0) terminal.print('Nothing uses Elastic Inference.');
    else {
      for (const line of toTable(uses, COLUMNS)) terminal.print(line);
      for (const { name, note } of uses) terminal.print(`  ${visible(name)}: ${visible(note)}`);
    }
    if (!options.apply) {
      if (uses.some(({ ours }) => ours)) terminal.note('Nothing is changed; --apply carries it out');
      return 0;
    }
    let failed = 0;
    for (const use of uses.filter(({ ours }) => ours)) {
      terminal.note(`Migrating ${use.kind} ${visible(use.name)} to ${use.becomes}`);
      const key = `migrate ${new Date().toISOString()}`;
      const { executionArn } = await migrateAccelerator(use, to, { ...application, key });
      if (executionArn === null) continue;
      const { status, cause } = await awaitEndpointChange(application, executionArn, terminal);
      if (status === 'SUCCEEDED') continue;
      failed += 1;
      terminal.note(`${visible(use.name)} was not migrated: ${visible(cause ?? status)}`);
    }
    return failed === 0 ? 0 : 1;
  },
});
