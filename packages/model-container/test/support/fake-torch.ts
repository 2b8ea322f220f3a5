/** Stands for PyTorch and AWS's toolkits where a test is about the handler for bundles: tensors are lists of rows. */
export const FAKE_TORCH = {
  'torch.py': `
strided = 'strided'
class Tensor:
    layout = strided
    dtype = 'float32'
    device = 'cpu'
    def __init__(self, rows):
        self.rows = [list(row) for row in rows]
    @property
    def shape(self):
        return (len(self.rows), len(self.rows[0]) if self.rows else 0)
    def __getitem__(self, part):
        return Tensor(self.rows[part])
    def __truediv__(self, by):
        return Tensor([[value / by for value in row] for row in self.rows])
    def tolist(self):
        return self.rows
def cat(parts):
    return Tensor([row for part in parts for row in part.rows])
`,
  'sagemaker_inference/__init__.py': '',
  'sagemaker_inference/content_types.py': "UTF8_TYPES = ['application/json', 'text/csv']",
  'sagemaker_inference/errors.py': `
class BaseInferenceToolkitError(Exception):
    def __init__(self, status_code, message, phrase):
        super().__init__(message)
        self.status_code, self.message = status_code, message
class GenericInferenceToolkitError(BaseInferenceToolkitError):
    def __init__(self, status_code, message=None):
        super().__init__(status_code, message, message)
`,
  'sagemaker_pytorch_serving_container/__init__.py': '',
  'sagemaker_pytorch_serving_container/default_pytorch_inference_handler.py': `
import json
from torch import Tensor
class DefaultPytorchInferenceHandler:
    def default_model_fn(self, model_dir):
        return 'the model'
    def default_input_fn(self, data, content_type):
        return Tensor(json.loads(data))
    def default_predict_fn(self, data, model):
        return data
    def default_output_fn(self, prediction, accept):
        return json.dumps(prediction.tolist())
`,
};
