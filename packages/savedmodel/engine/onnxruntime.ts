/** The only door to ONNX Runtime: imports run in order, so its telemetry is off before it is loaded. */
import './without-telemetry.ts';
export { InferenceSession, Tensor, type OnnxValue } from 'onnxruntime-node';
