import { expect, test } from 'vitest';
import { imageSettings } from '../../../src/models/huggingface/image-settings.ts';
import { lookAtConfig } from '../../../src/models/huggingface/source.ts';

/** As ViT's processor writes it. */
const VIT = {
  do_resize: true,
  size: { height: 224, width: 224 },
  resample: 2,
  do_rescale: true,
  rescale_factor: 1 / 255,
  do_normalize: true,
  image_mean: [0.5, 0.5, 0.5],
  image_std: [0.5, 0.5, 0.5],
};
const CONVNEXT = { ...VIT, size: { shortest_edge: 224 }, crop_pct: 0.875, resample: 3 };
const CUT = { size: { shortest_edge: 256 }, do_center_crop: true, crop_size: { height: 224, width: 224 } };
const SETTINGS = {
  scale: 1 / 255,
  mean: [0.5, 0.5, 0.5],
  std: [0.5, 0.5, 0.5],
  resize: 'stretch',
  resample: 'bilinear',
  order: 'RGB',
};

test.each([
  ['ViT stretches', VIT, {}],
  ['ConvNeXT cuts small images', CONVNEXT, { resize: 256, resample: 'bicubic' }],
  ['and stretches large ones', { ...CONVNEXT, size: { shortest_edge: 384 } }, { resample: 'bicubic' }],
  ['a cut of the middle', { ...VIT, ...CUT }, { resize: 256 }],
  ['a cut that is not made', { ...VIT, ...CUT, size: VIT.size, do_center_crop: false }, {}],
  ['levels as they are', { ...VIT, do_rescale: false, do_normalize: false }, { scale: 1, mean: 0, std: 1 }],
  ['BGR', { ...VIT, do_flip_channel_order: true, do_normalize: false }, { order: 'BGR', mean: 0, std: 1 }],
])('%s', (_, given, expected) => {
  expect(imageSettings(given)).toEqual({ ...SETTINGS, ...expected });
});

test.each([
  [{ ...VIT, resample: 1 }, "has resample 1, which model.images can't say"],
  [{ ...VIT, size: 224 }, 'has size 224, which'],
  [{ ...VIT, do_pad: true }, 'has do_pad true, which'],
  [{ ...VIT, do_flip_channel_order: true }, 'has do_flip_channel_order and do_normalize'],
  [{ ...VIT, rescale_offset: true }, 'has rescale_offset true, which'],
  [{ ...VIT, do_resize: false }, 'has do_resize false, which'],
  [
    { ...VIT, ...CUT, size: { height: 256, width: 256 } },
    'has size {"height":256,"width":256} and crop_size',
  ],
  [{ ...VIT, ...CUT, do_center_crop: false }, 'has size {"shortest_edge":256} and crop_size'],
  [{ ...CONVNEXT, ...CUT }, 'and crop_size'],
  [{ size: VIT.size }, 'has no do_resize: write all fields, AutoImageProcessor.from_pretrained'],
  [null, 'has no '],
])('%j is refused by the name of its field', (given, words) => {
  expect(imageSettings(given)).toEqual({ refused: expect.stringContaining(words) as string });
});

const CONFIG = {
  architectures: ['ViTForImageClassification'],
  model_type: 'vit',
  id2label: { 0: 'crane', 1: 'newt', 2: 'crane' },
};
const looked = (config: object, preprocessor: string | undefined = JSON.stringify(VIT)) =>
  lookAtConfig(JSON.stringify(config), preprocessor);

test('a classifier of images has preprocessing and names, which differ', () => {
  expect(looked(CONFIG)).toMatchObject({
    what: 'a Hugging Face ViTForImageClassification',
    images: SETTINGS,
    classes: ['crane (0)', 'newt', 'crane (2)'],
  });
  expect(looked({ ...CONFIG, id2label: { 0: 'LABEL_0', 1: 'LABEL_1' } })).toMatchObject({
    classes: undefined,
  });
  expect(looked({ name: 'settings of something else' })).toBeUndefined();
});

test.each([
  [
    { architectures: ['BertForSequenceClassification'] },
    'only image classifiers are converted: put an inference.py',
  ],
  [{ auto_map: { AutoConfig: 'x.py' } }, 'brings Python code of its own'],
  [{ problem_type: 'multi_label_classification' }, 'has several labels an image'],
])('%j is refused with the way out', (change, words) => {
  expect(looked({ ...CONFIG, ...change })).toEqual({ refused: expect.stringContaining(words) as string });
});

test('preprocessing that nothing says, or model.images cannot, is refused by the file', () => {
  expect(lookAtConfig(JSON.stringify(CONFIG), undefined)).toMatchObject({
    refused: expect.stringContaining('has no preprocessor_config.json') as string,
  });
  expect(looked(CONFIG, '{')).toMatchObject({
    refused: expect.stringContaining('its preprocessor_config.json has no ') as string,
  });
});
