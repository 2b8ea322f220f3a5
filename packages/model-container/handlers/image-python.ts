/** Source of what makes Pyodide's Python answer as an image's. It's part of the snapshot. */
export const IMAGE_PYTHON = new URL('./pyodide/image_python.py', import.meta.url);
