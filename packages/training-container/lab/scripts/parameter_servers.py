"""Two hosts add to one variable, which the second host's parameter server holds."""

import json
import os
import time

import tensorflow as tf

v1 = tf.compat.v1
v1.disable_eager_execution()
config = json.loads(os.environ["TF_CONFIG"])
task = config["task"]
server = v1.train.Server(config["cluster"], job_name=task["type"], task_index=task["index"])
with tf.device("/job:ps/task:1"):
    count = v1.get_variable("count", initializer=0, use_resource=True)
    add = count.assign_add(1)
with v1.Session(server.target) as session:
    if task["type"] == "master":
        session.run(v1.global_variables_initializer())
    else:
        while not session.run(v1.is_variable_initialized(count)):
            time.sleep(0.1)
    for _ in range(50):
        session.run(add)
    while session.run(count) < 100:
        time.sleep(0.1)
    print("count", session.run(count))
