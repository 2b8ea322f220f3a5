import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type * as z from 'zod';
import { HttpRequest } from '../../src/api/http-request.ts';
import { parseUpload } from '../../src/drop/upload-event.ts';
import { aDrop } from '../support/a-run.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const FUNCTIONS = readdirSync(path.join(ROOT, 'functions'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));
const USE_CASES = readdirSync(path.join(ROOT, 'src', 'app'), { recursive: true, encoding: 'utf8' });
const EVENTS = readdirSync(path.join(ROOT, 'events'));
const ROUTES = new Set(['api', 'api-start', 'predict']);

/** `plan-run` takes what `planRun.input` of src/app/plan/plan-run.ts says, the routes of the API an event of the HTTP API. */
async function inputSchema(name: string): Promise<z.ZodType> {
  const file = USE_CASES.find((candidate) => path.basename(candidate) === `${name}.ts`);
  const uses = await import(/* @vite-ignore */ path.join(ROOT, 'src', 'app', file ?? name));
  const useCase = uses[name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
  return ROUTES.has(name) ? HttpRequest : useCase.input;
}

const readEvent = (file: string): unknown =>
  JSON.parse(readFileSync(path.join(ROOT, 'events', file), 'utf8'));

it.each(EVENTS)('%s is an event that its function takes', async (file) => {
  const [name = ''] = file.split('.');
  expect(FUNCTIONS).toContain(name);
  expect((await inputSchema(name)).safeParse(readEvent(file)).error?.issues).toBeUndefined();
});

it.each(FUNCTIONS)('%s has a sample event, and refuses an invalid one', async (name) => {
  expect(EVENTS.some((file) => file.startsWith(`${name}.`))).toBe(true);
  const schema = await inputSchema(name);
  expect(schema.safeParse('no event').success).toBe(false);
  if (name !== 'sweep') expect(schema.safeParse({}).success).toBe(false);
});

it('the bodies of the sample queue messages are uploads', () => {
  const { Records } = readEvent('accept-drop.burst.json') as { Records: { body: string }[] };
  expect(Records.map(({ body }) => parseUpload(body))).toMatchObject([
    { drop: aDrop('clothes/monday'), kind: 'file' },
    { drop: aDrop('clothes/monday'), kind: 'file' },
  ]);
});
