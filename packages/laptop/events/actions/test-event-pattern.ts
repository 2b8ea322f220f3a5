import * as z from 'zod';
import { parsePattern } from '../rule-store.ts';

const Input = z.strictObject({ EventPattern: z.string(), Event: z.string() });

/** `TestEventPattern`. */
export function testEventPattern() {
  return (input: unknown) => {
    const { EventPattern, Event } = Input.parse(input);
    return { Result: parsePattern(EventPattern)(JSON.parse(Event)) };
  };
}
