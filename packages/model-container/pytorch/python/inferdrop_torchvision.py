"""Lets torchvision be imported where its compiled operators do not load, as those for CUDA beside a PyTorch without it.

Data sets, transforms and models need none of them; torchvision itself refuses a call of one that is missing."""

import importlib.abc
import importlib.machinery
import sys

# They describe the operators to PyTorch's compiler and gradients, without asking whether the operators are there.
DESCRIPTIONS = ("torchvision._meta_registrations", "torchvision._autograd_registrations")


class _Nothing(importlib.abc.Loader):
    def exec_module(self, module):
        pass


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name not in DESCRIPTIONS:
            return None
        from torchvision import extension

        return None if extension._has_ops() else importlib.machinery.ModuleSpec(name, _Nothing())


sys.meta_path.insert(0, _Finder())
