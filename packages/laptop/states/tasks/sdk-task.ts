import type { SdkService } from '../definition/integration.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.ts';
import { errorName, StatesError } from '../states-error.ts';
import { type SdkCalls, SdkFailure } from './sdk-calls.ts';

/** Names that Step Functions gives to errors of SDK integrations: the Java SDK's. */
const SDK_NAMES: Readonly<Record<SdkService, string>> = {
  s3: 'S3',
  sfn: 'Sfn',
  sagemaker: 'SageMaker',
  sns: 'Sns',
  sqs: 'Sqs',
};

/** An `aws-sdk:<service>:<action>` Task: parameters and results in PascalCase, whatever the service's own habit. */
export async function callSdk(
  calls: SdkCalls,
  service: SdkService,
  action: string,
  args: Json,
): Promise<Json> {
  const parameters = requireObject(args, `aws-sdk:${service}:${action}`);
  for (const key of Object.keys(parameters)) {
    if (!/^[A-Z]/.test(key)) {
      throw new StatesError(
        errorName.runtime,
        `The field '${key}' is not supported by aws-sdk:${service}:${action}: fields are in PascalCase.`,
      );
    }
  }
  const input = service === 'sfn' ? recased(parameters, lowerFirst) : parameters;
  try {
    const output = await plainOutput(
      await calls.call(service, action, withText(isJsonObject(input) ? input : {})),
    );
    return service === 'sfn' ? recased(output, upperFirst) : output;
  } catch (error) {
    if (!(error instanceof SdkFailure)) throw error;
    const name = SDK_NAMES[service];
    const type = error.isModelled ? error.code.replace(/(Exception)?$/, 'Exception') : `${name}Exception`;
    throw new StatesError(
      `${name}.${type}`,
      `${error.message} (Service: ${name}, Error Code: ${error.code})`,
    );
  }
}

/** An optimized integration (`sns:publish`, `sqs:sendMessage`) over the same client; objects become JSON text where the API wants text. */
export async function callOptimized(
  calls: SdkCalls,
  call: { readonly service: 'sns' | 'sqs'; readonly action: string; readonly textField: string },
  args: Json,
): Promise<Json> {
  const parameters = requireObject(args, `${call.service}:${call.action}`);
  const text = parameters[call.textField];
  const input =
    text === undefined || typeof text === 'string'
      ? parameters
      : { ...parameters, [call.textField]: JSON.stringify(text) };
  try {
    return await plainOutput(await calls.call(call.service, call.action, input));
  } catch (error) {
    if (!(error instanceof SdkFailure)) throw error;
    const name = call.service.toUpperCase();
    const type = error.isModelled
      ? error.code.replace(/(Exception)?$/, 'Exception')
      : `Amazon${name}Exception`;
    throw new StatesError(
      `${name}.${type}`,
      `${error.message} (Service: Amazon${name}; Error Code: ${error.code})`,
    );
  }
}

function requireObject(args: Json, resource: string): JsonObject {
  if (isJsonObject(args)) return args;
  throw new StatesError(errorName.runtime, `The Arguments of ${resource} must be an object.`);
}

/** S3's PutObject takes text; an object given as Body goes out as JSON. */
function withText(input: JsonObject): JsonObject {
  const { Body } = input;
  return Body === undefined || typeof Body === 'string' ? input : { ...input, Body: JSON.stringify(Body) };
}

function recased(value: Json, change: (key: string) => string): Json {
  if (isJsonArray(value)) return value.map((item) => recased(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [change(key), recased(member, change)]),
  );
}

const lowerFirst = (key: string): string => key.charAt(0).toLowerCase() + key.slice(1);
const upperFirst = (key: string): string => key.charAt(0).toUpperCase() + key.slice(1);

/** What the client gave, as JSON: streams and bytes as text, dates as ISO 8601, without the client's own metadata. */
async function plainOutput(output: Readonly<Record<string, unknown>>): Promise<JsonObject> {
  const plain: Record<string, Json> = {};
  for (const [key, value] of Object.entries(output)) {
    if (key === '$metadata' || value === undefined) continue;
    plain[key] = await plainValue(value);
  }
  return plain;
}

async function plainValue(value: unknown): Promise<Json> {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (Array.isArray(value)) return Promise.all(value.map((item: unknown) => plainValue(item)));
  if (typeof value !== 'object') throw new Error(`an SDK answer holds a ${typeof value}`);
  const toText: unknown = Reflect.get(value, 'transformToString');
  if (typeof toText === 'function') return String(await Reflect.apply(toText, value, []));
  return plainOutput(Object.fromEntries(Object.entries(value)));
}
