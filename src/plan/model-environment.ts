import { IMAGES_VARIABLE } from '../model/onnx/image-settings.ts';
import type { ModelSettings } from '../pipeline/model-settings.ts';

/** Variables of the container that a model asks for: its own, and the settings that the handler of ONNX archives reads. */
export function modelEnvironment({ environment, images }: ModelSettings): Record<string, string> {
  return { ...environment, ...(images !== null && { [IMAGES_VARIABLE]: JSON.stringify(images) }) };
}
