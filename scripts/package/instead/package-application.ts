import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BILL_OF_MATERIALS } from '../../bill-of-materials-name.ts';
import { addNativePart, type Target } from '../../native-part.ts';
import type { Package } from '../../package-application.ts';
import { zipFolders } from '../../zip-folder.ts';
import { unpackFiles } from '../archive.ts';
import { inCache } from '../in-cache.ts';
import { LAYOUT, STAGE_OF_PACKAGE } from '../layout.ts';

/** Reads the application that the package brings along, for `stage`; its functions are unpacked into the user's cache, once. */
export async function packageApplication(root: string, stage: string): Promise<Package> {
  const read = (place: string): Promise<string> => readFile(path.join(root, place), 'utf8');
  const forStage = (template: string): string => template.replaceAll(STAGE_OF_PACKAGE, stage);
  return {
    bucketTemplate: forStage(await read(LAYOUT.bucketTemplate)),
    template: forStage(await read(LAYOUT.template)),
    billOfMaterials: await read(LAYOUT.billOfMaterials),
    bundles: await unpackFunctions(root, process),
  };
}

/** Folder with one `<function>.zip` for each function as it runs on a target, and the bill of materials. */
export async function unpackFunctions(root: string, target: Target): Promise<string> {
  const archive = await readFile(path.join(root, LAYOUT.functions));
  const bill = await readFile(path.join(root, LAYOUT.billOfMaterials));
  return inCache(
    `functions-${target.platform}-${target.arch}`,
    Buffer.concat([archive, bill]),
    async (folder) => {
      const code = path.join(folder, 'code');
      await mkdir(code);
      await unpackFiles(archive, code);
      await zipFolders(code, folder);
      await addNativePart(root, code, target, folder);
      await rm(code, { recursive: true });
      await writeFile(path.join(folder, BILL_OF_MATERIALS), bill);
    },
  );
}
