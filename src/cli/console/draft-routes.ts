import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pc from 'picocolors';
import * as z from 'zod';
import type { DraftData } from '../../api/console/draft-data.ts';
import type { ProblemRow } from '../../api/console/problem-row.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { pipelineNameProblem } from '../../run/run-id.ts';
import { parsedJson } from '../../text/parse-json.ts';
import type { Application } from '../application.ts';
import { writeWhole } from '../files/write-whole.ts';
import { initPipeline } from '../init/init-pipeline.ts';
import type { Decide, Question } from '../init/question.ts';
import { STATING_FILES } from '../init/stated-images.ts';
import { judgeInBucket } from '../judge-in-bucket.ts';
import { checkBeforePut } from '../laptop/check-on-laptop.ts';
import { ARCHIVE, putPipeline, readPipelineFolder } from '../put-pipeline.ts';
import { Refusal } from '../refusal.ts';
import type { Terminal } from '../show/terminal.ts';
import { sendJson } from './answer.ts';
import type { Draft, Drafts } from './drafts.ts';
import { readBody } from './read-body.ts';
import { type Asked, type Route, route } from './route.ts';

const MAX_TEXT_BYTES = 1024 * 1024;

/** Answers to questions of `init`, by the option that would answer each. */
const Answers = z.object({ answers: z.record(z.string(), z.string()) });

/**
 * Addresses by which a page makes a pipeline: its files, what `inferdrop init` finds in them, the checks of `pipeline put`,
 * and its upload.
 */
export function draftRoutes(application: Application, drafts: Drafts, region: string): readonly Route[] {
  return [
    route('POST', '/api/drafts', async ({ response }) =>
      sendJson(response, { draft: (await drafts.create()).id }, 201),
    ),
    route('PUT', '/api/drafts/:draft/:part/:path', async ({ parts, incoming, response }) => {
      const { draft = '', part, path: name = '' } = parts;
      if (part !== 'model' && part !== 'sample')
        throw new RequestProblem('invalid-request', 'a file belongs to the model or to the sample');
      await drafts.find(draft).write(part, name, incoming);
      sendJson(response, {}, 201);
    }),
    route('POST', '/api/drafts/:draft/proposal', async (asked) => {
      const draft = drafts.find(asked.parts['draft'] ?? '');
      const read = Answers.safeParse(parsedJson(await readBody(asked.incoming, MAX_TEXT_BYTES)));
      if (!read.success)
        throw new RequestProblem(
          'invalid-request',
          `the body must be JSON with "answers": ${z.prettifyError(read.error)}`,
        );
      sendJson(asked.response, await propose(draft, read.data.answers));
    }),
    route('POST', '/api/drafts/:draft/check', async (asked) => {
      const folder = await writeConfig(drafts.find(asked.parts['draft'] ?? ''), asked);
      const { problems } = await readPipelineFolder(folder);
      sendJson(asked.response, { problems: problems.map(toRow) });
    }),
    route('POST', '/api/drafts/:draft/pipelines/:pipeline', async (asked) => {
      const { pipeline = '', draft = '' } = asked.parts;
      const folder = await writeConfig(drafts.find(draft), asked);
      const problems = await create(application, { pipeline, folder, region });
      if (problems.length > 0)
        sendJson(asked.response, { kind: 'refused', detail: 'pipeline.json has problems', problems }, 400);
      else sendJson(asked.response, { pipeline }, 201);
    }),
  ];
}

/** Uploads a pipeline that no other has the name of. @returns what keeps it from being one */
async function create(
  application: Application,
  {
    pipeline,
    folder,
    region,
  }: { readonly pipeline: string; readonly folder: string; readonly region: string },
): Promise<readonly ProblemRow[]> {
  const wrong = pipelineNameProblem(pipeline);
  if (wrong !== undefined) return [toRow({ file: '', field: 'name', value: pipeline, message: wrong })];
  const { store } = application;
  if ((await store.describe(bucketLayout.pipelineConfig(pipeline))) !== undefined)
    return [
      {
        file: '',
        field: 'name',
        value: pipeline,
        message:
          'is the name of a pipeline already: take another one; inferdrop pipeline put writes over one',
      },
    ];
  const found = await readPipelineFolder(folder);
  const { config, problems } = found;
  if (problems.length > 0 || config === undefined) return problems.map(toRow);
  const judged = await judgeInBucket(store, pipeline, { ...found, config }, region);
  if (judged.problems.length > 0) return judged.problems.map(toRow);
  const archive = found.files.find(({ relative }) => relative === ARCHIVE);
  await checkBeforePut(application, pipeline, config, archive?.file);
  await putPipeline(application, pipeline, found, judged.numbers);
  return [];
}

/** Stops an attempt of `init` at a question without an answer. */
class OpenQuestion extends Error {
  readonly question: Question;
  readonly problem: string | null;

  constructor(question: Question, problem: string | null) {
    super(question.text);
    this.question = question;
    this.problem = problem;
  }
}

/** Makes of the files what `inferdrop init` would; each question begins it again with one answer more. */
async function propose(draft: Draft, answers: Readonly<Record<string, string>>): Promise<DraftData> {
  const notes: string[] = [];
  const decide: Decide = async (question) => {
    const given = Object.hasOwn(answers, question.option) ? answers[question.option] : undefined;
    const answer = given ?? (question.isShown === true ? question.offered : undefined);
    const problem = answer === undefined ? undefined : question.problem?.(answer);
    if (answer === undefined || problem !== undefined) throw new OpenQuestion(question, problem ?? null);
    return answer;
  };
  const output = draft.nextOutput();
  // People know their files by the names that they gave them.
  const plain = (text: string): string =>
    text
      .replaceAll(`${draft.model}${path.sep}`, '')
      .replaceAll(draft.model, 'the model')
      .replaceAll(draft.sample, 'the sample');
  try {
    const { choices } = await initPipeline(
      {
        model: await modelOf(draft),
        folder: (await hasFiles(draft.sample)) ? draft.sample : undefined,
        output,
        now: new Date(),
      },
      decide,
      noting(notes),
    );
    draft.output = output;
    const { problems } = await readPipelineFolder(output);
    return {
      fields: choices.map(({ field, value, reason }) => ({
        field,
        value: JSON.stringify(value),
        reason: plain(reason),
      })),
      notes: notes.map(plain),
      text: await readFile(path.join(output, 'pipeline.json'), 'utf8'),
      problems: problems.map(toRow),
    };
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(plain(error.message));
    if (!(error instanceof OpenQuestion)) throw error;
    const { text, option, offered = null } = error.question;
    return {
      question: { text: plain(text), option, offered, problem: error.problem, notes: notes.map(plain) },
    };
  }
}

/** The model as `init` takes it: a file, also next to one that says how images are prepared, or the folder of several. */
async function modelOf(draft: Draft): Promise<string> {
  const found = await readdir(draft.model, { withFileTypes: true }).catch(() => []);
  const [first, ...others] = found.filter(({ name }) => !STATING_FILES.includes(name));
  if (first === undefined) throw new RequestProblem('invalid-request', 'no file of a model was sent');
  return others.length === 0 && first.isFile() ? path.join(draft.model, first.name) : draft.model;
}

function hasFiles(folder: string): Promise<boolean> {
  return readdir(folder).then(
    (names) => names.length > 0,
    () => false,
  );
}

/** A terminal that keeps its notes. */
function noting(notes: string[]): Terminal {
  return {
    interactive: false,
    color: pc.createColors(false),
    columns: 80,
    print: (text) => void notes.push(text),
    note: (text) => void notes.push(text),
    status: () => undefined,
  };
}

/** Puts the text of a page in the place of the proposal's. */
async function writeConfig(draft: Draft, asked: Asked): Promise<string> {
  if (draft.output === undefined)
    throw new RequestProblem(
      'invalid-request',
      'there is no proposal yet: what init asks must be answered first',
    );
  const file = path.join(draft.output, 'pipeline.json');
  const text = await readBody(asked.incoming, MAX_TEXT_BYTES);
  // A check may be reading it.
  await writeWhole(file, text);
  return draft.output;
}

function toRow({ file, field, value, message }: ProblemRow): ProblemRow {
  return { file, field, value, message };
}
