"""PyTorch resolves names and opens files in C++: its doors in Python are covered when they are imported."""

import importlib.abc
import importlib.util
import sys


def wait_for_import(mapped, moved):
    """`mapped` gives the address of a host and port, `moved` the place of a path."""
    stores = {}

    def cover_store(module):
        original = module.TCPStore
        if original not in stores:

            class TCPStore(original):
                def __init__(self, host_name, port=None, *args, **kwargs):
                    host_name, port = mapped(host_name, port)
                    super().__init__(host_name, port, *args, **kwargs)

            stores[original] = TCPStore
            stores[TCPStore] = TCPStore
        module.TCPStore = stores[original]

    def cover_save(module):
        save = module.save

        def covered(obj, f, *args, **kwargs):
            return save(obj, moved(f) if isinstance(f, str) or hasattr(f, "__fspath__") else f, *args, **kwargs)

        module.save = covered

    sys.meta_path.insert(
        0,
        _Finder(
            {
                "torch.distributed.rendezvous": cover_store,
                "torch.distributed": cover_store,
                "torch.serialization": cover_save,
            }
        ),
    )


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, hooks):
        self._hooks = hooks

    def find_spec(self, name, path, target=None):
        hook = self._hooks.pop(name, None)
        if hook is None:
            return None
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            hook(module)

        spec.loader.exec_module = exec_module
        return spec
