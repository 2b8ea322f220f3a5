import { DEFAULT_SIGNATURE, servedSignature } from '@inferdrop/model-container/internal/served-model';
import type { ModelSignature } from '../../model/read-signatures.ts';
import type { TrainingFramework } from '../framework-name.ts';
import type { Inspection, TriedArchive } from '../inspection.ts';
import { servedVersion } from './archive.ts';

/** Models run in onnxruntime once they are converted, scripts in Pyodide. */
export const tensorflow: Inspection = { runs, served, unmeasured: null };

function runs(
  { models, handler, scripts: { refused: missingHere, remarks } }: TriedArchive,
  toInstall: (name: TrainingFramework) => string,
): string[] {
  const signatures = models.flatMap(({ damage, signatures }) => (damage === null ? signatures : []));
  const refused = signatures.filter(({ unsupported }) => unsupported.length > 0);
  const missing = [...new Set(refused.flatMap(({ unsupported }) => unsupported))].sort();
  const special = new Set(refused.flatMap(({ remedy }) => remedy ?? []));
  const untried = signatures.find((signature) => signature.untried !== null)?.untried ?? undefined;
  const { script, requirements } = handler;
  const engine =
    signatures.length === 0
      ? 'model: none that can be served'
      : missing.length === 0
        ? 'model: in onnxruntime, no Python needed ' +
          `(converted${untried === undefined ? ' and run once on zeros' : `; not tried, since zeros do not fit: ${untried}`})`
        : special.size > 0
          ? `model: not in onnxruntime, because of ${missing.join(', ')}: ${[...special].join('; ')}`
          : `model: in TensorFlow only, because the converter does not know ${missing.join(', ')}: start with --engine ` +
            `python (${toInstall('tensorflow')})`;
  if (script === null) return [engine, 'handler: none; JSON and CSV requests are converted by the container'];
  if (requirements.length > 0)
    return [
      engine,
      `handler: in Python only; it runs as you, and pip installs ${requirements.join(', ')}: start with --handlers python if you trust it`,
    ];
  return [
    engine,
    ...(missingHere.length === 0
      ? ['handler: in Pyodide, which cannot reach your files and programs; no Python needed']
      : missingHere.map(
          ({ text, alternative }) =>
            `handler: not in Pyodide: ${text}: start with --handlers python; it then runs as you${alternative && `, or ${alternative}`}`,
        )),
    ...remarks.map((remark) => `handler: ${remark}`),
  ];
}

function served(archive: Parameters<Inspection['served']>[0]): string | null {
  const found = servedVersion(archive, {});
  if (found === undefined || 'reason' in found) return null;
  const { model, version, signatures, rivals } = found;
  if (rivals.length > 0) return `one of the models ${[model, ...rivals].join(', ')}`;
  const signature = signatures === 'unread' ? 'signatures that cannot be read' : signatureText(signatures);
  return `model ${model}, version ${version}, ${signature}`;
}

function signatureText(signatures: readonly ModelSignature[]): string {
  const served = servedSignature(signatures);
  return served === undefined
    ? `no signature ${DEFAULT_SIGNATURE}: requests must name one of ${signatures.map(({ name }) => name).join(', ')}`
    : `signature ${served.name}`;
}
