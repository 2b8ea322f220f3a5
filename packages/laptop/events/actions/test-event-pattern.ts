import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { parsePattern } from '../rule-store.ts';

/** `TestEventPattern`. */
export const testEventPattern = () =>
  action('TestEventPattern', {
    input: z.strictObject({ EventPattern: z.string(), Event: z.string() }),
    run: ({ EventPattern, Event }) => ({ Result: parsePattern(EventPattern)(JSON.parse(Event)) }),
  });
