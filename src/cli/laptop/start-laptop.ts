import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pc from 'picocolors';
import type { Laptop, LaptopOptions } from '../../../scripts/package/laptop.d.mts';
import { installPart } from '../../../scripts/parts.mjs';
import { ROOT } from '../root-folder.ts';
import type { Terminal } from '../show/terminal.ts';
import { awsVariables, raiseStack, toStackName } from './laptop-stack.ts';

const SILENT: Terminal = {
  interactive: false,
  color: pc.createColors(false),
  columns: 80,
  print: () => undefined,
  note: () => undefined,
  status: () => undefined,
};

/** The stack of this machine in the process of a test; `inferdrop/laptop` of the package exports it. */
export async function startLaptop({ dataDir, port = 0, stage = 'dev' }: LaptopOptions = {}): Promise<Laptop> {
  installPart('onnxruntime', ROOT);
  const folder = dataDir ?? (await mkdtemp(path.join(tmpdir(), 'inferdrop-laptop-')));
  const forget = async (): Promise<void> => {
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
  };
  const raised = await raiseStack({ stage, port, dataDir: folder }, SILENT).catch(async (error: unknown) => {
    await forget();
    throw error;
  });
  const { stack, owner } = raised;
  const { outputs } = stack.find(toStackName(stage));
  const output = (name: string): string => {
    const found = outputs.find(({ key }) => key === name);
    if (found === undefined) throw new Error(`the template has no output ${name}`);
    return found.value;
  };
  return {
    endpoint: stack.endpoint,
    region: stack.site.region,
    credentials: { ...owner },
    environment: awsVariables(raised),
    bucket: output('BucketName'),
    apiUrl: output('ApiUrl'),
    async close() {
      await stack.close();
      await forget();
    },
  };
}
