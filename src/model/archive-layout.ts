import type { Framework } from './framework.ts';

/** The layout in which AWS's containers look for a model, and what they need beside it. */
export interface ServingNeeds {
  readonly framework: Framework;
  readonly contentType: string;
  /** False where the container has a network to install packages from. */
  readonly networkIsolation: boolean;
  /** True where each answer is joined with its record. */
  readonly joined?: boolean;
  readonly batchStrategy?: 'SingleRecord' | 'MultiRecord';
}

/** Content types that TensorFlow Serving's container turns into requests without a handler. */
const WITHOUT_HANDLER = ['application/json', 'application/jsonlines', 'application/jsons', 'text/csv'];

/** Why a container of the framework would not serve these files; each reason ends with the remedy. */
export function layoutProblems(files: readonly string[], needs: ServingNeeds): string[] {
  const escaping = files.find((name) => name.startsWith('/') || name.split('/').includes('..'));
  if (escaping !== undefined)
    return [
      `holds the path ${JSON.stringify(escaping)}, which leaves the archive: pack it with relative paths`,
    ];
  const problems =
    needs.framework === 'tensorflow' ? tensorflowProblems(files, needs) : pytorchProblems(files);
  return [
    ...problems,
    ...joinProblems(files, needs),
    ...(needs.networkIsolation ? isolationProblems(files) : []),
  ];
}

/** Problems of network isolation: containers install requirements.txt when they start, unless there is code/lib. */
export function isolationProblems(files: readonly string[]): string[] {
  if (!files.includes('code/requirements.txt')) return [];
  if (files.some((name) => name.startsWith('code/lib/'))) return [];
  return [
    'has code/requirements.txt, whose packages the container would install from the network, which model.networkIsolation keeps it from: pack ' +
      'them into code/lib/ (pip install -r code/requirements.txt -t code/lib) and leave the file out, or set model.networkIsolation to false',
  ];
}

/** Answers without a handler that SageMaker cannot join with their records. */
function joinProblems(files: readonly string[], needs: ServingNeeds): string[] {
  const { framework, contentType, joined = false, batchStrategy } = needs;
  if (!joined || files.includes('code/inference.py')) return [];
  if (framework === 'tensorflow' && contentType === 'text/csv') {
    return [
      'has no code/inference.py, and without one TensorFlow Serving answers JSON whatever transform.accept says, which cannot be joined ' +
        'with CSV rows: add a handler that answers one CSV row a record, or send JSON Lines ("application/jsonlines")',
    ];
  }
  if (batchStrategy === 'MultiRecord' && contentType !== 'text/csv') {
    return [
      'has no code/inference.py, and without one the container answers several records with one document, which cannot be joined with ' +
        'each of them: set transform.batchStrategy to "SingleRecord", or add a handler that answers one line a record',
    ];
  }
  return [];
}

function tensorflowProblems(files: readonly string[], { contentType }: ServingNeeds): string[] {
  const problems: string[] = [];
  const bundles = files.filter((name) => /(^|\/)saved_model\.pbt?x?t?$/.test(name));
  const versioned = files.some((name) => /(^|\/)\d+\/saved_model\.pb$/.test(name));
  if (bundles.length === 0) {
    problems.push(
      'has no saved_model.pb: pack a SavedModel as 1/saved_model.pb with 1/variables/ (Keras: model.export(), not model.save())',
    );
  } else if (!versioned) {
    problems.push(
      `has ${bundles[0]}, but the container only takes a SavedModel in a folder whose name is a number: move it to 1/saved_model.pb`,
    );
  }
  const handled = files.some((name) => name === 'code/inference.py');
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!handled && !WITHOUT_HANDLER.includes(type)) {
    const nested = files.find((name) => name.endsWith('/inference.py') || name === 'inference.py');
    const where = nested === undefined ? '' : ` (${nested} is not at that path)`;
    problems.push(
      `has no code/inference.py${where}, and without one the container answers 415 to transform.contentType ${JSON.stringify(contentType)}: ` +
        `add a handler, or use one of ${WITHOUT_HANDLER.join(', ')}`,
    );
  }
  return problems;
}

function pytorchProblems(files: readonly string[]): string[] {
  const atRoot = files.some((name) => /^[^/]+\.(pt|pth)$/.test(name));
  if (atRoot || files.includes('code/inference.py')) return [];
  const nested = files.find((name) => /\.(pt|pth)$/.test(name) || name.endsWith('code/inference.py'));
  if (nested !== undefined)
    return [
      `has ${nested}, but the container looks at the root: pack without a wrapping folder (tar czf model.tar.gz -C FOLDER .)`,
    ];
  return [
    'has neither model.pth at its root nor code/inference.py: the container would have nothing to serve',
  ];
}
