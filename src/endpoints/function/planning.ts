import { FRAMEWORKS, inFunctions } from '../../frameworks/frameworks.ts';
import { EndpointSettings } from '../../pipeline/endpoint-settings.ts';
import { resolveMemoryPrice, USD_PER_REQUEST } from '../../price/lambda-price.ts';
import { dollars } from '../../text/figures.ts';
import { functionMemoryMB } from '../../transform/predict-function.ts';
import { refuseGuardrails, refuseInstances } from '../guardrails.ts';
import type { AskedEndpoint, EndpointPlanning, RefuseField } from '../planning.ts';

/** Cap on a request to the function, which comes as base64: what the prediction API takes. */
const MOST_REQUEST_BYTES = 4_500_000;

/** Bounds only for serverless endpoints: if you set one, you must know that it bounds nothing here. */
const OF_SERVERLESS = {
  memorySizeInMB: 'which has the memory of parameter PredictMemory of the stack',
  maxConcurrency: 'which starts a function for each request at once',
} as const;
const UNSET = EndpointSettings.parse({});

const OTHERWISE = 'or set it to "instance" or "serverless"';

/** Planning of endpoints that a function of AWS Lambda answers for. */
export const lambdaEndpoint: EndpointPlanning = {
  refuse: refuseLambda,
  notes: (asked) => [costNote(asked), ...sizeNotes(asked)],
  hourlyUsd: () => null,
  usualTtlHours: null,
  defaults: ({ config }) => ({
    amiVersion: null,
    containerStartupTimeoutInSeconds: null,
    modelDownloadTimeoutInSeconds: null,
    memorySizeInMB: functionMemoryMB(config.transform),
  }),
};

function refuseLambda(asked: AskedEndpoint, refuse: RefuseField): void {
  const { endpoint, model } = asked.config;
  const { inFunctions: functions } = FRAMEWORKS[model.framework];
  refuseInstances(asked, 'starts a function for each request at once', refuse);
  const noGuardrails = 'endpoint.type "lambda", which moves traffic at once when the second test has passed';
  refuseGuardrails(asked, noGuardrails, refuse);
  for (const field of ['memorySizeInMB', 'maxConcurrency'] as const)
    if (endpoint[field] !== UNSET[field])
      refuse(
        field,
        endpoint[field],
        `cannot be with endpoint.type "lambda", ${OF_SERVERLESS[field]}: leave it out`,
      );
  const cannot = (reason: string, remedy: string): void =>
    refuse('type', endpoint.type, `cannot be "lambda": ${reason}: ${remedy}, ${OTHERWISE}`);
  if (model.image !== null)
    cannot('a function starts no container, and model.image names one', 'leave model.image out');
  else if ('remedy' in functions)
    cannot(`a function runs models of model.framework ${inFunctions('and')}`, functions.remedy);
  for (const reason of asked.frame.functionReasons ?? [])
    refuse('type', endpoint.type, `cannot be "lambda": the archive ${reason}, ${OTHERWISE}`);
}

/** Price of 1,000 requests of a tenth of a second each. */
function costNote({ config, frame: { region, prices } }: AskedEndpoint): string {
  const { usdPerGbHour } = resolveMemoryPrice(region, prices);
  const idle = 'endpoint.type "lambda" costs nothing while nobody asks';
  if (usdPerGbHour === null) return `${idle}; the price of Lambda in ${region} is not known`;
  const usd =
    1_000 * ((0.1 * (functionMemoryMB(config.transform) / 1024) * usdPerGbHour) / 3600 + USD_PER_REQUEST);
  return `${idle}, and ${dollars(usd)} for 1,000 answers of 0.1 s each`;
}

function sizeNotes({ frame: { largestObjectBytes } }: AskedEndpoint): string[] {
  if (largestObjectBytes <= MOST_REQUEST_BYTES) return [];
  return [
    'endpoint.type "lambda" takes requests of at most 4.5 MB, and the largest input of this run is larger',
  ];
}
