/** Modules of this stack that are part of the snapshot, since to compile them costs as much as to boot. */
export const SNAPSHOT_MODULES: Readonly<Record<string, URL>> = {
  image_python: new URL('./pyodide/image_python.py', import.meta.url),
  python_check: new URL('./pyodide/python_check.py', import.meta.url),
};
