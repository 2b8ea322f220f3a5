import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { definitionProblems } from '../definition/check-definition.ts';
import type { StatesDeps } from './deps.ts';

/** The problems that would refuse a definition, without making a machine. */
export const validateStateMachineDefinition = ({ sdk }: StatesDeps) =>
  action('ValidateStateMachineDefinition', {
    input: z.strictObject({
      definition: z.string(),
      type: z.enum(['STANDARD', 'EXPRESS']).optional(),
      severity: z.enum(['ERROR', 'WARNING']).optional(),
      maxResults: z.number().int().min(0).max(100).optional(),
    }),
    run: async ({ definition, maxResults }) => {
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
    },
  });
