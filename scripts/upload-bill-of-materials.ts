import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ServerlessOptions, ServerlessTools } from './serverless-plugin.ts';
import { useSettings } from './serverless-plugin.ts';

const NAME = 'sbom.cdx.json';

/** Puts the bill of materials into the deployment bucket, beside the functions' code; another one is a change to deploy. */
export default class UploadBillOfMaterials {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;

  constructor(serverless: ServerlessTools, options: ServerlessOptions) {
    const { service, serviceDir } = serverless;
    const read = (): Promise<Buffer> => readFile(path.join(serviceDir, 'build', 'functions', NAME));
    this.hooks = {
      // Digests of what was deployed are compared with those of files here, whatever their names; but only *.zip are looked at.
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
