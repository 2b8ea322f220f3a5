import * as z from 'zod';
import type { QueryActions } from '../../gateway/query-service.ts';
import type { Stacks } from '../stacks.ts';

const Input = z.object({ StackName: z.string() });

/** The template a stack was made from, as it was given. */
export function getTemplate(stacks: Stacks): QueryActions[string] {
  return (input) => ({ TemplateBody: stacks.find(Input.parse(input).StackName).template });
}
