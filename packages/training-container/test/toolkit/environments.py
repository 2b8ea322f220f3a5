"""What AWS's training toolkit (sagemaker-training 5.1.4) makes of hosts: variables and arguments. Cases on stdin, answers on stdout.

usage: environments.py < cases.json > environments.json
"""

import json
import os
import sys
import tempfile

BASE = tempfile.mkdtemp()
os.environ.update(SAGEMAKER_BASE_DIR=BASE, AWS_DEFAULT_REGION="us-east-1")
CONFIG = os.path.join(BASE, "input", "config")
os.makedirs(CONFIG)

from sagemaker_training import environment  # noqa: E402


def answer(case):
    for name in ("hyperparameters", "resourceconfig", "inputdataconfig"):
        with open(os.path.join(CONFIG, name + ".json"), "w") as file:
            json.dump(case[name], file)
    os.environ["TRAINING_JOB_NAME"] = case["jobName"]
    os.environ["SAGEMAKER_TRAINING_MODULE"] = case["frameworkModule"]
    environment.num_cpus = lambda: case["cpus"]
    environment.num_gpus = lambda: case["gpus"]
    # Each would start a program that is not there.
    environment.num_neurons = lambda _: 0
    environment.validate_smddprun = environment.validate_smddpmprun = lambda: False
    host = environment.Environment()
    variables = {name: value.replace(BASE, "/opt/ml") for name, value in host.to_env_vars().items()}
    return {"case": case, "variables": variables, "arguments": host.to_cmd_args()}


json.dump([answer(case) for case in json.load(sys.stdin)], sys.stdout, indent=1, sort_keys=True)
