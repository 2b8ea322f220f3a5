import type { CheckedModel, ContainerKind, PythonChoice } from './container-kind.ts';
import { parseImageUri } from './image.ts';
import { onnx } from './onnx/onnx-container.ts';
import { isPlainOnnx } from './onnx/own-handler.ts';
import { pytorch } from './pytorch/pytorch-container.ts';
import { tensorflow } from './tensorflow/tensorflow-container.ts';

/** The container of an archive: its image's, or onnxruntime's for an ONNX archive with a handler that need not run. */
export function containerOf(
  { image, modelDir }: Pick<CheckedModel, 'image' | 'modelDir'>,
  { handlers }: Pick<PythonChoice, 'handlers'>,
): ContainerKind | { readonly refusal: string } {
  const kind = resolveContainerKind(image);
  return kind === pytorch && handlers !== 'python' && isPlainOnnx(modelDir) ? onnx : kind;
}

const KINDS: readonly ContainerKind[] = [tensorflow, pytorch];

/**
 * The container that stands for an image on the laptop, or why none does. Only the repository's name decides: the registry's
 * account and region don't matter on a laptop.
 */
function resolveContainerKind(uri: string): ContainerKind | { readonly refusal: string } {
  const { repository } = parseImageUri(uri);
  const kind = KINDS.find(({ repositories }) => repositories.includes(repository));
  if (kind !== undefined) return kind;
  if (repository.endsWith('-eia'))
    return {
      refusal: `image ${uri}: Elastic Inference was retired in April 2024; use tensorflow-inference`,
    };
  const known = KINDS.flatMap(({ repositories }) => repositories).join(', ');
  return { refusal: `image ${uri}: repository must be one of ${known}, is ${repository}` };
}
