import type { AddedFile } from '../append-to-tar.ts';
import { ONNX_HANDLER } from './handler-text.ts';
import { ONNXRUNTIME } from './judge-onnx.ts';

/** Files that make an ONNX archive without a handler one that AWS's PyTorch container serves; none if it has a handler. */
export function handlerFiles(files: readonly string[]): readonly AddedFile[] {
  if (files.includes('code/inference.py')) return [];
  const hasWheels = files.some((name) => /^code\/wheels\/[^/]+\.whl$/.test(name));
  // A relative path starts from the folder of the file.
  const requirements = [
    ...(hasWheels ? ['--no-index', '--find-links wheels'] : []),
    `onnxruntime==${ONNXRUNTIME}`,
  ];
  return [
    { name: 'code/inference.py', body: Buffer.from(ONNX_HANDLER) },
    { name: 'code/requirements.txt', body: Buffer.from(`${requirements.join('\n')}\n`) },
  ];
}
