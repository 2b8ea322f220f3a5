import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { toRunId } from '../../run/run-id.ts';
import { connect, laptopInUse } from '../application.ts';
import { defineCommand, flag, STAGE } from '../define-command.ts';
import { openerOf, startDetached } from '../files/open-file.ts';
import { saveReport } from '../files/save-report.ts';
import { findCredentials } from '../laptop/stack-credentials.ts';
import { Refusal } from '../refusal.ts';
import { meantRuns, requireRun } from '../runs/near-runs.ts';
import { toRun } from '../runs/run-result.ts';

/** `inferdrop open`: a run's report in the browser. */
export const command = defineCommand({
  about:
    'Opens the report of a run or training in the browser. Its path is printed: below reports/ of the data folder ' +
    'of a stack on this machine, if that is .inferdrop here or in this checkout, else in a temporary folder ' +
    'that no other account of this machine can read.',
  examples: ['inferdrop open cats/monday/000001', 'inferdrop open cats/monday/000001 --print'],
  page: 'docs/reports.md',
  options: {
    print: flag('save it and print its path, without a browser'),
    ...STAGE,
  },
  operand: 'RUN',
  async run({ options, operand }, terminal) {
    const { store } = await connect(options.stage);
    const run = toRun(await requireRun(store, operand));
    if ((await store.describe(bucketLayout.reportHtml(run))) === undefined)
      throw new Refusal(
        `${operand} has no report: it still runs or does not exist${await meantRuns(store, operand)}`,
      );
    const file = await saveReport(store, run, await folderFor(toRunId(run)));
    terminal.print(file);
    if (options.print) return 0;
    const opener = openerOf(process.platform, file);
    if (await startDetached(opener)) return 0;
    throw new Refusal(`there is no program ${opener[0]} here: open ${pathToFileURL(file).href} by hand`);
  },
});

/** Folder that a run's report is saved in; `mkdtemp` gives it the mode 0700. */
async function folderFor(run: string): Promise<string> {
  const laptop = laptopInUse();
  const dataDir = laptop === undefined ? undefined : (await findCredentials(laptop))?.dataDir;
  return dataDir === undefined
    ? mkdtemp(path.join(tmpdir(), 'inferdrop-report-'))
    : path.join(dataDir, 'reports', run);
}
