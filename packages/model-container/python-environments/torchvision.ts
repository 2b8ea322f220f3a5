import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnvironmentFailed, sitePackages } from './build-environment.ts';
import { runTool } from './run-tool.ts';

const MODULE = 'inferdrop_torchvision';

/**
 * PyPI's torchvision for Linux is built for CUDA, and its import fails next to a PyTorch without it, which an index or a wheel of the
 * user's may give. There it is imported without its compiled operators, by every Python of the environment.
 *
 * @throws {EnvironmentFailed} if it cannot be imported then, either
 */
export async function letTorchvisionLoad(python: string): Promise<void> {
  if ((await runTool(python, ['-c', 'import torchvision'])).code === 0) return;
  const site = await sitePackages(python);
  const module = fileURLToPath(import.meta.resolve(`#model-container/pytorch/python/${MODULE}.py`));
  await copyFile(module, join(site, `${MODULE}.py`));
  await writeFile(join(site, `${MODULE}.pth`), `import ${MODULE}\n`);
  const { code, output } = await runTool(python, ['-c', 'import torchvision']);
  if (code !== 0)
    throw new EnvironmentFailed(`torchvision cannot be imported: ${output.trim().split('\n').at(-1)}`);
}
