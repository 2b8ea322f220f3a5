import { expect, test } from 'vitest';
import { TrainingSettings } from '../../../src/pipeline/training-settings.ts';
import { askedChannels } from '../../../src/training/asked-channel.ts';
import { codeBeside } from '../../../src/training/code-beside.ts';
import { hostOfStream } from '../../../src/training/host-of-stream.ts';

const DEFAULTS = {
  name: 'train',
  field: 'training.channels.train',
  s3DataType: 'S3Prefix',
  path: '',
  named: 1,
  attributes: [],
  distribution: 'FullyReplicated',
  shuffleSeed: null,
  inputMode: 'File',
  contentType: null,
  compression: 'None',
  recordWrapper: 'None',
};

test.each<[unknown, object]>([
  ['images/', { path: 'images/' }],
  ['', {}],
  [
    { prefix: 'images/', inputMode: 'Pipe' },
    { path: 'images/', inputMode: 'Pipe' },
  ],
  [
    { manifest: 'a.json', contentType: 'image/png' },
    { s3DataType: 'ManifestFile', path: 'a.json', contentType: 'image/png' },
  ],
  [
    { augmentedManifest: 'a.jsonl', attributes: ['source-ref'], shuffleSeed: 7 },
    { s3DataType: 'AugmentedManifestFile', path: 'a.jsonl', attributes: ['source-ref'], shuffleSeed: 7 },
  ],
  [
    { prefix: 'a/', manifest: 'b.json' },
    { s3DataType: 'ManifestFile', path: 'b.json', named: 2 },
  ],
  [
    { manifest: 'b', augmentedManifest: 'c' },
    { s3DataType: 'AugmentedManifestFile', path: 'c', named: 2 },
  ],
  [{ distribution: 'ShardedByS3Key' }, { named: 0, distribution: 'ShardedByS3Key' }],
])('the channel %j', (written, channel) => {
  const channels = TrainingSettings.shape.channels.parse({ train: written });
  expect(askedChannels({ channels, inputMode: 'File' })).toEqual([{ ...DEFAULTS, ...channel }]);
});

test.each([
  [['model.pb'], ['train.py'], false, []],
  [
    ['model.pb'],
    ['inference.py', 'lib.py', 'requirements.txt'],
    false,
    ['inference.py', 'lib.py', 'requirements.txt'],
  ],
  [['model.pb'], ['inference.py', 'lib.py', 'requirements.txt'], true, ['inference.py', 'lib.py']],
  [['model.pb', 'code/lib.py'], ['inference.py', 'lib.py'], false, ['inference.py']],
  [['code/inference.py'], ['inference.py', 'lib.py'], false, []],
])(
  'beside the archive %j, the source %j (isolated: %s) lays %j',
  (archive, source, networkIsolation, laid) => {
    expect(codeBeside(archive, source, { networkIsolation })).toEqual(laid);
  },
);

test.each([
  ['job/algo-1-1700000000', 'algo-1'],
  ['job/algo-12', 'algo-12'],
  ['job/algo-x', 'job/algo-x'],
  ['algo-1-1700000000', 'algo-1-1700000000'],
])('the stream %s is of the host %s', (stream, host) => {
  expect(hostOfStream(stream)).toBe(host);
});
