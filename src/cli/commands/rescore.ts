import { readFile } from 'node:fs/promises';
import { type ReplacedLabels, replaceLabels } from '../../app/plan/write/replace-labels.ts';
import { requireRescorable } from '../../app/run/rescorable.ts';
import { rescore } from '../../app/run/rescore.ts';
import { moment } from '../../text/dates.ts';
import { toSize } from '../../text/size.ts';
import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, RUN_EXIT_CODES, STAGE, valued, WAIT } from '../define-command.ts';
import { finishRun } from '../runs/finish-run.ts';
import { requireRun } from '../runs/near-runs.ts';
import { repeatedText } from '../runs/repeated-text.ts';
import { toRun } from '../runs/run-result.ts';
import { visible } from '../show/terminal.ts';

/** `inferdrop rescore`: scores the predictions of a run again, without any job. */
export const command = defineCommand({
  about: "Scores the predictions of a run again with today's labels, classes, gate and report; no job runs.",
  exitCodes: RUN_EXIT_CODES,
  examples: ['inferdrop rescore cats/monday/000001 --labels labels.csv --wait'],
  page: 'docs/reports.md',
  options: {
    labels: valued(
      'FILE',
      "first replaces the label file of the drop; the former one stays among the bucket's versions",
    ),
    ...WAIT,
    ...JSON_FORM,
    ...STAGE,
  },
  operand: 'RUN',
  async run({ options, operand: of }, terminal) {
    const application = await connect(options.stage);
    const { store } = application;
    const original = toRun(await requireRun(store, of));
    const startedAt = performance.now();
    if (options.labels !== undefined) {
      // Nothing is replaced for a run that cannot be scored again.
      await requireRescorable(store, original);
      const replaced = await replaceLabels(store, original, await readFile(options.labels));
      terminal.note(visible(replacedText(replaced)));
    }
    const rescored = await rescore({ run: original }, application);
    const { run } = rescored;
    if (options.wait) return finishRun(application, run, terminal, { json: options.json, startedAt });
    terminal.print(options.json ? JSON.stringify({ run }) : repeatedText(rescored));
    return 0;
  },
});

function replacedText({ key, before }: ReplacedLabels): string {
  if (before === undefined) return `labels: ${key}, which was not there before`;
  const { versionId, size, lastModified } = before;
  const version = versionId === undefined ? '' : `, version ${versionId}`;
  return `labels: ${key} replaces the one of ${moment(lastModified)} (${toSize(size)}), which stays among the bucket's versions${version}`;
}
