import { DECODERS } from '@inferdrop/savedmodel/decoder';
import { HOST_OPERATIONS } from '@inferdrop/savedmodel/host-operations';
import { OPERATION_KINDS, type OperationKind } from '@inferdrop/savedmodel/operation-kinds';
import { REFUSED_MODELS } from '@inferdrop/savedmodel/refused-models';
import { TEXT_OPERATIONS } from '@inferdrop/savedmodel/text-operations';

/** docs/models.md, generated from the tables of the converter. */
export function toModelsPage(): string {
  const count = OPERATION_KINDS.reduce((sum, { converters }) => sum + Object.keys(converters).length, 0);
  return `# Models on this machine

AWS runs any SavedModel. The TensorFlow container of this machine converts it to ONNX and runs it on onnxruntime, operation by operation;
a model is answered as TensorFlow answers it, or it is refused by name before a job starts:

\`\`\`sh
node bin/inferdrop.mjs model inspect model.tar.gz    # each signature, its operations, and which of them are not converted
\`\`\`

This page is written by \`node scripts/write-models-page.ts\` from the tables of the converter. \`npm test\` compares ${count} operations with
TensorFlow's stored answers, at least 200 random cases a family, and \`npm run test:oracle\` with TensorFlow itself, on thousands more and on
a zoo of whole networks.

## Operations that are converted

Element types are those of TensorFlow. "Ends the run" is an error that names the node, for the request that brought it about.

float16 is computed in single precision. So is bfloat16, each result rounded to it: sums of products, averages and functions such as \`Exp\`
may differ by two units in the last place (2^-7 of the largest term), \`Softmax\`, \`Softplus\`, sums and depthwise convolutions by more where TensorFlow itself
rounds in between; all else is equal to the bit. bfloat16 in a signature is refused: TensorFlow Serving's REST API does not write it.

${OPERATION_KINDS.map(section).join('\n')}
Loops, branches and arrays of TensorFlow 1 (\`Enter\`, \`Exit\`, \`Switch\`, \`Merge\`, \`TensorArrayV3\` with its reads, writes, scatters and gathers)
become those of TensorFlow 2 first; \`TensorArrayConcatV3\` and \`TensorArraySplitV3\` are refused.

## What runs before onnxruntime

Encoded images and whatever leads to them are the host's: ${named([...DECODERS, 'DecodeBase64'])}, alone, in \`tf.map_fn\` or in a loop of
TensorFlow 1. Between the file and the tensor that goes to onnxruntime the host knows ${named(HOST_OPERATIONS)}.
What does not depend on the request is computed once, when the model is loaded.

Texts, tables and ragged rows are the host's, too, before the network and behind it: ${named(TEXT_OPERATIONS)}, and what moves
strings without looking at them. Tables are filled from constants, from the checkpoint, and from files of the model.
Sparse tensors are three tensors each: places, values, and the shape of the whole. Patterns are RE2's, and what they are to match must
be UTF-8. Integers beyond 2^53 end the run; ragged rows of more than one ragged axis, an \`encoding\`, and padded n-grams are refused.

## What is refused

| model | what to do |
| ----- | ---------- |
${REFUSED_MODELS.map(({ what, remedy }) => `| ${what} | ${remedy} |`).join('\n')}

\`--engine python\` needs \`inferdrop containers install tensorflow\` once.
`;
}

function section({ title, converters, takes, limits }: OperationKind): string {
  const items = limits.map(([operations, limit]) =>
    operations === '' ? `- ${limit}` : `- ${named(operations.split(' '))}: ${limit}`,
  );
  const rest = items.length === 0 ? '' : `\n${items.join('\n')}\n`;
  return `### ${title}\n\n${named(Object.keys(converters).sort())}\n\nTakes ${takes}.\n${rest}`;
}

function named(operations: readonly string[]): string {
  return operations.map((operation) => `\`${operation}\``).join(', ');
}
