import * as z from 'zod';
import { parsedJson } from '../text/parse-json.ts';
import type { ReadAnswers, ReviewAnswer } from './review-answer.ts';

const Person = z.union([z.int(), z.object({ email: z.string().optional(), id: z.int().optional() })]);

/** A task of Label Studio's export in the format JSON, as far as it is read (labelstud.io/guide/export, "Label Studio JSON format"). */
const Task = z.object({
  id: z.int().optional(),
  data: z.object({ id: z.string(), key: z.string().optional() }),
  annotations: z.array(
    z.object({
      completed_by: Person.nullish(),
      was_canceled: z.boolean().nullish(),
      updated_at: z.string().nullish(),
      created_at: z.string().nullish(),
      result: z.array(
        z.object({
          type: z.string(),
          value: z.object({ choices: z.array(z.string()).optional() }),
        }),
      ),
    }),
  ),
});

/** Reads the answers of an export of Label Studio; skipped and open tasks have no answer. */
export function readLabelStudio(text: string): ReadAnswers {
  const tasks = z.array(z.unknown()).safeParse(parsedJson(text));
  if (!tasks.success)
    return { answers: [], problems: ['the file must be a list of tasks: export it in the format JSON'] };
  const answers: ReviewAnswer[] = [];
  const problems: string[] = [];
  for (const [at, value] of tasks.data.entries()) {
    const task = Task.safeParse(value);
    if (!task.success) {
      const [issue] = task.error.issues;
      const field = issue?.path.join('.') ?? '';
      problems.push(
        `task ${at + 1}: ${field}: ${issue?.message ?? ''}; the export must be in the format JSON, of tasks that inferdrop review wrote`,
      );
      continue;
    }
    const { data, annotations, id = at + 1 } = task.data;
    for (const { completed_by: person, was_canceled: skipped, result, ...times } of annotations) {
      if (skipped === true) continue;
      const place = `task ${id} (${JSON.stringify(data.key ?? data.id)})`;
      const choices = result.flatMap(({ type, value: { choices: chosen = [] } }) =>
        type === 'choices' ? chosen : [],
      );
      const [label] = choices;
      if (label === undefined || choices.length > 1)
        problems.push(`${place} must have one choice, has ${choices.length}`);
      else
        answers.push({
          id: data.id,
          label,
          place,
          by: nameOf(person),
          at: toUtc(times.updated_at ?? times.created_at),
        });
    }
  }
  return { answers, problems };
}

function nameOf(person: z.infer<typeof Person> | null | undefined): string | undefined {
  if (person === null || person === undefined) return undefined;
  if (typeof person === 'number') return `label-studio user ${person}`;
  return person.email ?? (person.id === undefined ? undefined : `label-studio user ${person.id}`);
}

function toUtc(time: string | null | undefined): string | undefined {
  const at = new Date(time ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
