/** `import { startLaptop } from 'inferdrop/laptop'`: typed in laptop.d.mts. */
export async function startLaptop(options) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  // A library does not start another Node, as the command does.
  if (major < 22 || (major === 22 && minor < 15))
    throw new Error(`inferdrop/laptop needs Node 22.15 or newer; this is Node ${process.versions.node}`);
  const { startLaptop: start } = await import(new URL('./dist/start-laptop.js', import.meta.url).href);
  return start(options);
}
