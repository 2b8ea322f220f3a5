import { listJobRecords, listTrainingJobRecords } from '../../app/records/jobs.ts';
import { isDataLog, type JobLogs, jobLogs } from '../../aws/job-log.ts';
import { logEvents } from '../../aws/log-events.ts';
import type { ObjectStore } from '../../aws/object-store.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { connect } from '../application.ts';
import { defineCommand, JSON_FORM, STAGE } from '../define-command.ts';
import { meantRuns, requireRun } from '../near-runs.ts';
import { Refusal } from '../refusal.ts';
import { toRun } from '../run-result.ts';
import { type Terminal, visible } from '../terminal.ts';

/** The log group that all training jobs share. */
const TRAINING_LOGS = '/aws/sagemaker/TrainingJobs';

/** `inferdrop logs`: logs of a run's transform jobs, job by job, each oldest first. */
export const command = defineCommand({
  usage: `inferdrop logs RUN [--json]
    What the jobs of a run have written: containers, hosts of a training, and SageMaker's data log, which says why inputs failed.`,
  options: { ...JSON_FORM, ...STAGE },
  operand: 'RUN',
  async run({ options, operand }, terminal) {
    const { store } = await connect(options.stage);
    const run = toRun(await requireRun(store, operand));
    if (run.kind === 'training') return printTrainingLogs(store, run, terminal, options.json);
    const jobs = (await Array.fromAsync(listJobRecords(store, run)))
      .filter(({ status }) => status !== 'Planned')
      .sort((a, b) => a.attempt - b.attempt);
    if (jobs.length === 0)
      throw new Refusal(
        `${operand} has started no transform job: it was refused, still waits, or does not exist${await meantRuns(store, operand)}`,
      );
    for (const { jobName } of jobs) await printLog(jobLogs, jobName, terminal, options.json);
    return 0;
  },
});

/** Prints lines as they are read, since a log can be longer than memory. */
async function printLog(
  from: Pick<JobLogs, 'all'>,
  job: string,
  terminal: Terminal,
  json: boolean,
): Promise<void> {
  let lines = 0;
  for await (const { at, stream, text } of from.all(job)) {
    const source = isDataLog(stream) ? 'data-log' : 'container';
    const instance = stream.split('/')[1] ?? '';
    if (json) terminal.print(JSON.stringify({ at, job, instance, source, text }));
    else terminal.print(`${at.toISOString()} ${job} ${source.padEnd(9)} ${visible(text)}`);
    lines += 1;
  }
  if (lines === 0)
    terminal.note(`${job} has no log yet: CloudWatch shows lines some seconds after they were written`);
}

/** The log of each training job, host by line. */
async function printTrainingLogs(
  store: ObjectStore,
  run: RunParts,
  terminal: Terminal,
  json: boolean,
): Promise<number> {
  const jobs = (await Array.fromAsync(listTrainingJobRecords(store, run)))
    .filter(({ status }) => status !== 'Planned')
    .toSorted((a, b) => a.attempt - b.attempt);
  if (jobs.length === 0)
    throw new Refusal(
      `${toRunId(run)} has started no training job: it was refused, still waits, or does not exist${await meantRuns(store, toRunId(run))}`,
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
  return 0;
}
