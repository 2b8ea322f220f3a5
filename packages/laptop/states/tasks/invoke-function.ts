import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { FunctionInvoker, InvokeResult } from '../../kernel/ports.ts';
import { type Json, parseJson } from '../json.ts';
import { errorName, StatesError } from '../states-error.ts';

const InvokeArguments = z.strictObject({
  FunctionName: z.string().min(1),
  Payload: z.custom<Json>(() => true).optional(),
});

/** The optimized `lambda:invoke`: the answer lies in `Payload`. The function's errors come out under their own `errorType`. */
export async function lambdaInvoke(functions: FunctionInvoker, args: Json): Promise<Json> {
  const parsed = InvokeArguments.safeParse(args);
  if (!parsed.success)
    throw new StatesError(
      errorName.runtime,
      `The Arguments of lambda:invoke are not valid: ${z.prettifyError(parsed.error)}`,
    );
  const { FunctionName, Payload = {} } = parsed.data;
  const result = await invoke(functions, FunctionName, Payload);
  return {
    ExecutedVersion: '$LATEST',
    Payload: answerOf(result),
    SdkHttpMetadata: { HttpStatusCode: 200 },
    SdkResponseMetadata: { RequestId: result.requestId },
    StatusCode: 200,
  };
}

async function invoke(functions: FunctionInvoker, target: string, payload: Json): Promise<InvokeResult> {
  try {
    return await functions.invoke(target, Buffer.from(JSON.stringify(payload)));
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const code = error.code.replace(/(Exception)?$/, 'Exception');
    throw new StatesError(
      `Lambda.${code}`,
      `${error.message} (Service: Lambda, Status Code: ${error.statusCode})`,
    );
  }
}

function answerOf({ payload, functionError }: InvokeResult): Json {
  const text = payload.toString('utf8');
  const value = text === '' ? null : readAnswer(text);
  if (functionError === undefined) return value;
  const named = z.object({ errorType: z.string().min(1) }).safeParse(value);
  if (named.success) throw new StatesError(named.data.errorType, text);
  const cause = `The cause could not be determined because Lambda did not return an error type. Returned payload: ${text}`;
  throw new StatesError('Lambda.Unknown', cause);
}

function readAnswer(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    throw new StatesError('Lambda.Unknown', `The function did not answer with JSON: ${text.slice(0, 200)}`);
  }
}
