import * as z from 'zod';
import type { Plan } from '../../../plan/plan.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import { RunParts } from '../../../run/run-id.ts';
import { parsedJson } from '../../../text/parse-json.ts';
import { startEndpointChange } from '../../endpoint/start-endpoint-change.ts';
import { planJson } from '../../records/plan.ts';
import type { VerifyServices } from '../check.ts';
import { failed, type Finding, notRun } from '../finding.ts';
import { outputOf } from '../verified-stack.ts';
import { VERIFY_PIPELINE } from './name.ts';
import { awaitExecution, verificationRun } from './run.ts';

/** An answer of the API to a test request. */
export interface ApiAnswer {
  readonly sent: string;
  readonly status: number;
  /** The beginning of its body. */
  readonly text: string;
  readonly predictions: number;
  readonly expected: number;
}

/** Outcome of a test endpoint. */
export interface EndpointTrial {
  /** Final states of the executions that deployed and deleted it, with error and cause where they have them. */
  readonly deployed: string;
  readonly deleted: string;
  readonly answers: readonly ApiAnswer[];
}

/** The finding if stack-run has left no model to serve. */
export const NOTHING_TO_SERVE = notRun('–', 'It serves the model of stack-run, which has no report.');

/** Remedies where a trial shows that endpoints of its kind do not work. */
interface TrialRemedies {
  readonly notDeployed: string;
  readonly notDeleted: string;
  readonly wrongAnswers: string;
}

/**
 * Reads the outcome of a trial.
 *
 * @param seen what else was seen of the endpoint, in the order of time
 * @returns `answered` for the finding, and the finding itself where deployment, deletion or an answer failed
 */
export function readTrial(
  trial: EndpointTrial,
  remedies: TrialRemedies,
  seen: readonly string[] = [],
): { readonly answered: string; readonly trouble: Finding | undefined } {
  const answered = [
    `deployment ${trial.deployed}`,
    ...trial.answers.map(toText),
    ...seen,
    `deletion ${trial.deleted}`,
  ].join('; ');
  return { answered, trouble: troubleOf(trial, answered, remedies) };
}

function troubleOf(
  { deployed, deleted, answers }: EndpointTrial,
  answered: string,
  remedies: TrialRemedies,
): Finding | undefined {
  if (deployed !== 'SUCCEEDED') return failed(answered, remedies.notDeployed);
  if (deleted !== 'SUCCEEDED') return failed(answered, remedies.notDeleted);
  const wrong = wrongAnswers(answers);
  return wrong.length > 0 ? failed(`${answered}; ${toBodies(wrong)}`, remedies.wrongAnswers) : undefined;
}

/** Status and number of predictions of an answer. */
function toText({ sent, status, predictions }: ApiAnswer): string {
  return `${sent}: ${status} with ${predictions} predictions`;
}

function toBodies(answers: readonly ApiAnswer[]): string {
  return answers.map(({ sent, text }) => `${sent} said ${text}`).join('; ');
}

/** Answers that are not predictions, or have another number of them. */
function wrongAnswers(answers: readonly ApiAnswer[]): readonly ApiAnswer[] {
  return answers.filter(({ status, predictions, expected }) => status !== 200 || predictions !== expected);
}

const SHOWN = 2_000;
/** Bytes that are not text in any encoding: a missing Base64 flag would change them. */
const BINARY = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00, 0x80]);
const REQUESTS = [
  { sent: 'PNG', type: 'image/png', body: BINARY, expected: 1 },
  { sent: 'JSON Lines', type: 'application/jsonlines', body: Buffer.from('{"x":1}\n{"x":2}\n'), expected: 2 },
] as const;

/** The plan of a run of the verification; undefined if that run has no report, and so nothing to serve. */
export async function planToServe(
  { store, id }: Pick<VerifyServices, 'store' | 'id'>,
  run = verificationRun(id),
): Promise<Plan | undefined> {
  if ((await store.describe(bucketLayout.reportJson(run))) === undefined) return undefined;
  return planJson(run).require(store);
}

/** Serves a run of the verification with a replaced plan; gives the execution's end, with its error. */
export async function deployAs(services: VerifyServices, plan: Plan, step: string): Promise<string> {
  await planJson(RunParts.parse(plan.run)).write(services.store, plan);
  return changed(services, step, { action: 'deploy', run: plan.run });
}

/** Deletes the verification's endpoint; how the execution ended, with its error. */
export function deleteServed(services: VerifyServices, step: string): Promise<string> {
  return changed(services, step, { action: 'delete', reason: 'inferdrop verify is done with it' });
}

async function changed(
  services: VerifyServices,
  step: string,
  request: { readonly action: 'deploy' | 'delete'; readonly run?: string; readonly reason?: string },
): Promise<string> {
  const { endpointChanges, id } = services;
  const { arn } = await startEndpointChange(
    endpointChanges,
    { ...request, pipeline: VERIFY_PIPELINE },
    `verification ${id} ${step}`,
  );
  return awaitExecution(endpointChanges, arn, services);
}

/**
 * Serves a run of the verification with a replaced plan, asks the endpoint, deletes it, and puts the plan of the run back.
 *
 * @param look what else is to be seen of the endpoint before it is deleted
 */
export async function tryServed<Seen>(
  services: VerifyServices,
  { plan, served, step }: { readonly plan: Plan; readonly served: Plan; readonly step: string },
  look?: () => Promise<Seen>,
): Promise<{ readonly trial: EndpointTrial; readonly seen: Seen | undefined }> {
  const deployed = await deployAs(services, served, step);
  const isServed = deployed === 'SUCCEEDED';
  const answers = isServed ? await askServed(services) : [];
  const seen = isServed ? await look?.() : undefined;
  const deleted = await deleteServed(services, step);
  await planJson(RunParts.parse(plan.run)).write(services.store, plan);
  return { trial: { deployed, deleted, answers }, seen };
}

/** Sends the API a binary and a text body, and returns its answers. */
export async function askServed(services: VerifyServices): Promise<readonly ApiAnswer[]> {
  const answers: ApiAnswer[] = [];
  for (const { sent, type, body, expected } of REQUESTS) {
    const { status, text } = await postServed(services, type, body);
    answers.push({ sent, status, text, expected, predictions: predictionsIn(text) });
  }
  return answers;
}

/** One request to the prediction API. */
export async function postServed(
  { callApi, stack }: Pick<VerifyServices, 'callApi' | 'stack'>,
  type: string,
  body: Uint8Array,
): Promise<{ readonly status: number; readonly text: string }> {
  const url = new URL(`${outputOf(stack, 'ApiUrl').replace(/\/$/, '')}/predict/${VERIFY_PIPELINE}`);
  const response = await callApi({ method: 'POST', url, headers: { 'content-type': type }, body });
  return { status: response.status, text: (await response.text()).slice(0, SHOWN) };
}

const Predicted = z.object({ predictions: z.array(z.unknown()) });

function predictionsIn(text: string): number {
  return Predicted.safeParse(parsedJson(text)).data?.predictions.length ?? 0;
}
