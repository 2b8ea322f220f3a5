import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BILL_OF_MATERIALS as NAME } from './bill-of-materials-name.ts';
import { type ServerlessOptions, type ServerlessTools, useSettings } from './serverless-plugin.ts';

/** Folder of the functions' code, as `infra/batch/functions.yml` names it. */
const BUNDLES = process.env.INFERDROP_BUNDLES ?? path.join('build', 'functions');

/** Uploads the bill of materials to the deployment bucket, next to the functions' code; a different one counts as a change to deploy. */
export default class UploadBillOfMaterials {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;

  constructor(serverless: ServerlessTools, options: ServerlessOptions) {
    const { service, serviceDir } = serverless;
    const read = (): Promise<Buffer> => readFile(path.resolve(serviceDir, BUNDLES, NAME));
    this.hooks = {
      // Serverless compares digests of deployed files with local files' digests, whatever their names, but only of *.zip.
      'before:aws:deploy:deploy:checkForChanges': async () => {
        const folder = path.join(serviceDir, '.serverless');
        await mkdir(folder, { recursive: true });
        await writeFile(path.join(folder, `${NAME}.zip`), await read());
      },
      'after:aws:deploy:deploy:uploadArtifacts': async () => {
        if (service.provider.shouldNotDeploy === true) return;
        const provider = serverless.getProvider('aws');
        useSettings(provider, options);
        const { PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
        const Body = await read();
        await new S3Client().send(
          new PutObjectCommand({
            Bucket: await provider.getServerlessDeploymentBucketName(),
            Key: `${service.package.artifactDirectoryName}/${NAME}`,
            Body,
            ContentType: 'application/vnd.cyclonedx+json',
            Metadata: { filesha256: createHash('sha256').update(Body).digest('base64') },
          }),
        );
      },
    };
  }
}
