import { frameworkVersionOf } from '../../image.ts';

/**
 * The containers differ in how they convert requests: `classic` are the images up to TensorFlow 2.19 (nginx script and
 * python_service of 2018–2025), `current` the images since 2.20.
 */
export type ImageGeneration = 'classic' | 'current';

/** An image without a readable version counts as `current`. */
export function resolveImageGeneration(tag: string): ImageGeneration {
  const [major, minor] = frameworkVersionOf(tag) ?? [2, 20];
  return major > 2 || (major === 2 && minor >= 20) ? 'current' : 'classic';
}
