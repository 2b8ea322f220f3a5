import { HandlerRefused } from '@inferdrop/model-container/internal/python-service';
import type { FunctionUse } from '../../src/app/engine/lambda/predicting-model.ts';
import { Condition } from '../../src/problem/conditions.ts';

/** Errors that are about the archive, and not about this function. */
const ABOUT_THE_MODEL = new Set(['ArchiveRefused', 'UnsupportedModel', 'BrokenModel', 'BadModelArchive']);

/** Words of a refusal before and after its reason. */
const WORDS: Readonly<Record<FunctionUse, { readonly because: string; readonly remedy: string }>> = {
  run: {
    because: 'the model cannot run with transform.engine "lambda"',
    remedy: 'Set it to "sagemaker"',
  },
  endpoint: {
    because: 'the model cannot be served with endpoint.type "lambda"',
    remedy: 'Set it to "instance" or "serverless"',
  },
};

/**
 * The condition behind an error that the model is to blame for, or else the error itself. A script that fails does so in
 * containers as well.
 */
export function modelRefusal(error: unknown, use: FunctionUse): unknown {
  if (error instanceof HandlerRefused && !error.needsPython)
    return new Condition('ModelRefused', `the model's script fails: ${error.reason}`, { cause: error });
  const reason = reasonOf(error);
  const { because, remedy } = WORDS[use];
  return reason === undefined
    ? error
    : new Condition('ModelNeedsContainer', `${because}: ${reason}. ${remedy}`, { cause: error });
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof HandlerRefused) return error.reason;
  return error instanceof Error && ABOUT_THE_MODEL.has(error.name) ? error.message : undefined;
}
