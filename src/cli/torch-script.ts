import yauzl from 'yauzl';

/** Whether a `.pt` file is TorchScript: a ZIP archive with code in it, where a state_dict has pickled tensors only. */
export function holdsTorchScript(file: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    yauzl.open(file, { lazyEntries: true }, (error, zip) => {
      // A file that is not a ZIP archive has the older format, which held no TorchScript.
      if (error !== null || zip === undefined) return resolve(false);
      zip.on('entry', (entry: yauzl.Entry) => {
        if (/^[^/]+\/constants\.pkl$/.test(entry.fileName)) {
          zip.close();
          resolve(true);
        } else zip.readEntry();
      });
      zip.on('end', () => resolve(false));
      zip.on('error', reject);
      zip.readEntry();
    });
  });
}
