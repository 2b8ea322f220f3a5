import * as z from 'zod';
import { definitionProblems } from '../definition/check-definition.ts';
import type { StatesDeps } from './deps.ts';

const Input = z.strictObject({
  definition: z.string(),
  type: z.enum(['STANDARD', 'EXPRESS']).optional(),
  severity: z.enum(['ERROR', 'WARNING']).optional(),
  maxResults: z.number().int().min(0).max(100).optional(),
});

/** The problems that would refuse a definition, without making a machine. */
export function validateStateMachineDefinition({ sdk }: StatesDeps) {
  return async (raw: unknown): Promise<unknown> => {
    const { definition, maxResults } = Input.parse(raw);
    const problems = await definitionProblems(sdk, definition);
    const diagnostics = problems.slice(0, maxResults || 100).map(({ code, message, location }) => ({
      severity: 'ERROR',
      code,
      message,
      ...(location === undefined ? {} : { location }),
    }));
    return {
      result: problems.length === 0 ? 'OK' : 'FAIL',
      diagnostics,
      truncated: diagnostics.length < problems.length,
    };
  };
}
