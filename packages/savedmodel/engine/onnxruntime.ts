/** The only door to ONNX Runtime: imports run in order, so its telemetry is off before it is loaded. */
import './without-telemetry.ts';
export { env, InferenceSession, Tensor, type OnnxValue } from 'onnxruntime-node';
