"""What makes a process stand for a host: names, folders, a network, and the process that it ends with."""

import os
import signal
import threading


def begin(settings):
    """Called once at the start of each Python of a host, also of those that the script starts."""
    import inferdrop_host_names
    import inferdrop_isolation
    import inferdrop_opt_ml

    _end_with(settings["lifeline"])
    mapped = inferdrop_host_names.answer(settings["hosts"], settings["ports"])
    moved = inferdrop_opt_ml.show(settings["optMl"])
    if settings["isolated"]:
        inferdrop_isolation.reach_loopback_but(settings["closedPorts"])
    import inferdrop_torch

    inferdrop_torch.wait_for_import(mapped, moved)


def _end_with(lifeline):
    """torchrun and mpirun give their children groups of their own, which no signal to the host's reaches."""
    group = os.environ.get("INFERDROP_GROUP")
    if group is None or os.getpgrp() == int(group):
        return
    try:
        line = os.open(lifeline, os.O_RDONLY)
    except OSError:
        return

    def wait():
        while os.read(line, 1):
            pass
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=wait, name="inferdrop-lifeline", daemon=True).start()
