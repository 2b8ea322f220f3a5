import type { ConvertedSignature } from './load-model.ts';

/** Where the answers of a signature, or their speed, are not what its user may expect; a sentence each. */
export function remarksOn({
  signature,
  mixedBy,
  isHalf,
  isAsserted,
}: Pick<ConvertedSignature, 'signature' | 'mixedBy' | 'isHalf' | 'isAsserted'>): string[] {
  const alone = `requests of ${signature.name} run one by one, for their rows might mix: ${mixedBy}`;
  const half = `float16 is computed in single precision: answers differ from TensorFlow's, by 2e-3 of them and more`;
  const asserted = `assertions of ${signature.name} are not checked: TensorFlow refuses a request that fails one, and here it is answered`;
  return [
    ...(mixedBy === undefined ? [] : [alone]),
    ...(isHalf ? [half] : []),
    ...(isAsserted ? [asserted] : []),
  ];
}
