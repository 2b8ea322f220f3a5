import * as z from 'zod';
import { AccountLimits } from '@inferdrop/laptop/internal/account-limits';
import { parseWrittenJson } from '../../text/written-json.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Parses the value of `--limits`: quotas of the account of the stack on this machine, as JSON.
 *
 * @throws {UsageError} naming the limit that is unknown or not allowed
 */
export function parseLimits(text: string): AccountLimits {
  const parsed = AccountLimits.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new UsageError(`--limits is ${text}: ${z.prettifyError(parsed.error)}`);
}

function parseJson(text: string): unknown {
  try {
    return parseWrittenJson(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--limits must be JSON like {"lambdaConcurrency": 10}, is ${text}: ${why}`);
  }
}
