import * as z from 'zod';
import { DropProblem } from '../../drop/frozen.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** `problems.json`: everything that keeps a run from starting. */
const Problems = z.object({ schema: z.literal(1), problems: z.array(DropProblem).readonly() });

/** `problems.json`: everything that PlanRun refused a run for. */
export const problemsJson = jsonDocument({
  key: bucketLayout.problems,
  schema: Problems,
  write: 'replace',
  indent: 2,
});
