/**
 * Keeps ONNX Runtime from reporting to its maker, which builds for Linux and macOS do unless this variable is set before the
 * library is loaded. Imported for its effect, ahead of the library.
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1';
