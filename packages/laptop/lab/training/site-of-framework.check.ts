import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildEnvironment } from '@inferdrop/model-container/internal/build-environment';
import { describeEngine } from '@inferdrop/model-container/internal/engine-environment';
import { runTool } from '@inferdrop/model-container/internal/run-tool';
import { checkFramework } from '../../sagemaker/training/check-framework.ts';

test('an installed framework is checked as a job imports it, with packages that .pth files bring', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'inferdrop-framework-'));
  onTestFinished(() => rm(cache, { recursive: true, force: true }));
  const engine = describeEngine('pytorch', cache);
  await buildEnvironment({ dir: engine.dir, install: [] });
  const place = await runTool(engine.python, [
    '-c',
    'import sysconfig; print(sysconfig.get_path("purelib"))',
  ]);
  const site = place.output.trim();
  await writeFile(join(site, 'torch.py'), '');
  await expect(checkFramework(engine)).rejects.toThrow(
    `a training job can't import torch, torchvision of ${engine.dir}: ModuleNotFoundError: No module named ` +
      `'torchvision'. Remove the folder, then run "inferdrop containers install pytorch" again`,
  );
  // As `pip install --editable` leaves it.
  const project = join(cache, 'project');
  await mkdir(project);
  await writeFile(join(project, 'torchvision.py'), '');
  await writeFile(join(site, 'torchvision.pth'), `${project}\n`);
  await checkFramework(engine);
});
