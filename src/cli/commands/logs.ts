import type { LogsByEngine } from '../../app/engine/engine-logs.ts';
import { readJobRecords } from '../../app/records/jobs.ts';
import { listTrainingJobRecords } from '../../app/records/training-jobs.ts';
import { logEvents } from '../../aws/logs/log-events.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import type { ByRunKind } from '../../run/run-kind.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { type Application, connect } from '../application.ts';
import { defineCommand, JSON_FORM, STAGE } from '../define-command.ts';
import { logsOf } from '../job-logs.ts';
import { Refusal } from '../refusal.ts';
import { meantRuns, requireRun } from '../runs/near-runs.ts';
import { toRun } from '../runs/run-result.ts';
import { type Terminal, visible } from '../show/terminal.ts';

/** The log group that all training jobs share. */
const TRAINING_LOGS = '/aws/sagemaker/TrainingJobs';

/** `inferdrop logs`: logs of a run's transform jobs, job by job, each oldest first. */
export const command = defineCommand({
  about:
    "Shows what the jobs of a run have written: containers, hosts of a training, and SageMaker's data log, which says why inputs failed.",
  examples: ['inferdrop logs cats/monday/000001'],
  page: 'docs/operate.md',
  options: { ...JSON_FORM, ...STAGE },
  operand: 'RUN',
  async run({ options, operand }, terminal) {
    const application = await connect(options.stage);
    const run = toRun(await requireRun(application.store, operand));
    await PRINT_LOGS[run.kind](application, run, terminal, options.json);
    return 0;
  },
});

const PRINT_LOGS: ByRunKind<typeof printTrainingLogs> = {
  inference: printTransformLogs,
  training: printTrainingLogs,
};

async function printTransformLogs(
  application: Application,
  run: RunParts,
  terminal: Terminal,
  json: boolean,
): Promise<void> {
  const { store } = application;
  const jobs = (await readJobRecords(store, run)).filter(({ status }) => status !== 'Planned');
  if (jobs.length === 0)
    throw new Refusal(
      `${toRunId(run)} has started no transform job: it was refused or canceled, still waits, or does not ` +
        `exist${await meantRuns(store, toRunId(run))}`,
    );
  const logs = logsOf(application);
  for (const job of jobs) await printLog(job, logs, terminal, json);
}

/** Prints lines as they are read, since a log can be longer than memory. */
async function printLog(
  record: JobRecord,
  logs: LogsByEngine,
  terminal: Terminal,
  json: boolean,
): Promise<void> {
  const { jobName: job } = record;
  let lines = 0;
  for await (const { at, source, instance, text } of logs[record.engine.name].all(record)) {
    if (json) terminal.print(JSON.stringify({ at, job, instance, source, text }));
    else terminal.print(`${at.toISOString()} ${job} ${source.padEnd(9)} ${visible(text)}`);
    lines += 1;
  }
  if (lines === 0)
    terminal.note(`${job} has no log yet: CloudWatch shows lines some seconds after they were written`);
}

/** Prints the log of each training job, with the host on each line. */
async function printTrainingLogs(
  { store }: Application,
  run: RunParts,
  terminal: Terminal,
  json: boolean,
): Promise<void> {
  const jobs = (await Array.fromAsync(listTrainingJobRecords(store, run)))
    .filter(({ status }) => status !== 'Planned')
    .toSorted((a, b) => a.attempt - b.attempt);
  if (jobs.length === 0)
    throw new Refusal(
      `${toRunId(run)} has started no training job: it was refused or canceled, still waits, or does not ` +
        `exist${await meantRuns(store, toRunId(run))}`,
    );
  for (const { jobName: job } of jobs) {
    let lines = 0;
    for await (const { at, stream, text } of logEvents({
      logGroupName: TRAINING_LOGS,
      logStreamNamePrefix: `${job}/`,
    })) {
      const host = /^algo-\d+/.exec(stream.split('/')[1] ?? '')?.[0] ?? '';
      if (json) terminal.print(JSON.stringify({ at, job, host, text }));
      else terminal.print(`${at.toISOString()} ${job} ${host.padEnd(7)} ${visible(text)}`);
      lines += 1;
    }
    if (lines === 0)
      terminal.note(`${job} has no log yet: CloudWatch shows lines some seconds after they were written`);
  }
}
