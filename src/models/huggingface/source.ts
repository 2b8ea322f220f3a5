import * as z from 'zod';
import { parsedJson } from '../../text/parse-json.ts';
import type { ForPython } from '../source.ts';
import { imageSettings } from './image-settings.ts';

const Config = z.looseObject({
  architectures: z.array(z.string()).min(1),
  model_type: z.string(),
  id2label: z.record(z.string(), z.string()).default({}),
  problem_type: z.string().nullish(),
  auto_map: z.unknown().optional(),
  transformers_version: z.string().optional(),
});

/** Files of a folder of Hugging Face that are looked at, and kept in the archive. */
export const HUGGING_FACE_FILES = ['config.json', 'preprocessor_config.json'] as const;
/** Names of the file of its weights, or of the list of several. */
export const WEIGHTS = [
  'model.safetensors',
  'pytorch_model.bin',
  'model.safetensors.index.json',
  'pytorch_model.bin.index.json',
] as const;

/**
 * Looks at the configuration of a folder of Hugging Face.
 *
 * @param preprocessor content of preprocessor_config.json, if there is one
 * @returns undefined for a configuration of something else
 */
export function lookAtConfig(
  config: string,
  preprocessor: string | undefined,
): ForPython | { readonly refused: string } | undefined {
  const { data } = Config.safeParse(parsedJson(config));
  if (data === undefined) return undefined;
  const [architecture = ''] = data.architectures;
  const serve =
    'put an inference.py with a model_fn that loads the folder into its code/, and pack it: tar czf model.tar.gz -C FOLDER .';
  if (!architecture.endsWith('ForImageClassification'))
    return {
      refused: `is a Hugging Face ${architecture}, and only image classifiers are converted: ${serve}`,
    };
  if (data.auto_map !== undefined)
    return { refused: `brings Python code of its own (auto_map of config.json), which isn't run: ${serve}` };
  if (data.problem_type === 'multi_label_classification')
    return {
      refused: `has several labels an image (problem_type of config.json), which are not judged: ${serve}`,
    };
  if (preprocessor === undefined)
    return {
      refused:
        'has no preprocessor_config.json, which says how images become pixels: write it with ' +
        'AutoImageProcessor.from_pretrained(NAME).save_pretrained(FOLDER)',
    };
  const images = imageSettings(parsedJson(preprocessor));
  if ('refused' in images)
    return { refused: `is not converted: its preprocessor_config.json ${images.refused}` };
  const version =
    data.transformers_version === undefined ? '' : ` of transformers ${data.transformers_version}`;
  return {
    what: `a Hugging Face ${architecture}${version}`,
    script: 'src/models/huggingface/images.py',
    packages: ['torch', 'transformers', 'pillow', 'onnx'],
    strange: undefined,
    images,
    classes: namesOf(data.id2label),
  };
}

/** Names of the classes in order; undefined if they are only numbered. */
function namesOf(labels: Readonly<Record<string, string>>): readonly string[] | undefined {
  const names = Object.keys(labels).map((_, at) => labels[String(at)] ?? `LABEL_${at}`);
  if (names.every((name, at) => name === `LABEL_${at}`)) return undefined;
  // ImageNet has two kinds of cranes.
  return names.map((name, at) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${at})`,
  );
}
