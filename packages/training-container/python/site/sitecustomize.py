"""Python imports this by itself at its start: it makes a host of a training job of a process on this computer."""

import json
import os

_settings = os.environ.get("INFERDROP_TRAINING")
if _settings:
    import inferdrop_training_host

    inferdrop_training_host.begin(json.loads(_settings))
