/** Content types of the test model's handler, besides images and JSON, which it answers with class scores. */
export const TEST_TYPES = {
  /** Returns the request that arrived, and when: see `TestAnswer`. */
  facts: 'application/x-inferdrop-facts',
  /** Writes `COUNTED_LOG` into the log of the instance that got the request, and returns nothing of it. */
  counted: 'application/x-inferdrop-counted',
  /** Returns the output of the machine's `nvidia-smi`. */
  gpu: 'application/x-inferdrop-gpu',
} as const;

/** A file with this beginning makes the handler fail. */
export const BROKEN = 'broken';
/** The handler's log line before it fails. */
export const BROKEN_LOG = 'inferdrop-verify: this file is meant to fail';

/** The handler's log line for each request of the type `counted`. */
export const COUNTED_LOG = 'inferdrop-verify: a counted file';

/** A body with this beginning is answered after the prediction API's limit of 28 seconds. */
export const SLOW = 'slow';
const SLOW_SECONDS = 32;

/** `code/inference.py` of the test model: it returns the request instead of a prediction. Python's standard library only. */
export const TEST_HANDLER = `import json
import os
import time


def handler(data, context):
    began = time.time()
    body = data.read()
    if body.startswith(b"${BROKEN}"):
        print("${BROKEN_LOG}", flush=True)
        raise ValueError("${BROKEN_LOG}")
    if body.startswith(b"${SLOW}"):
        time.sleep(${SLOW_SECONDS})
    kind = context.request_content_type
    if kind == "${TEST_TYPES.counted}":
        print("${COUNTED_LOG}", flush=True)
        time.sleep(0.05)
        return "counted", "text/plain"
    if kind == "${TEST_TYPES.gpu}":
        return gpu(), "text/plain"
    if kind == "${TEST_TYPES.facts}":
        time.sleep(0.3)
        answer = {
            "bytes": len(body),
            "environment": os.environ.get("INFERDROP_VERIFY"),
            "began": began,
            "ended": time.time(),
        }
        return json.dumps(answer), "application/json"
    lines = body.split(b"\\n") if kind == "application/jsonlines" else [body]
    scores = [[0.9, 0.1] for line in lines if line.strip()]
    return json.dumps({"predictions": scores}), "application/json"


def gpu():
    try:
        import subprocess

        return subprocess.run(["nvidia-smi"], capture_output=True, text=True).stdout
    except OSError as error:
        return str(error)
`;
