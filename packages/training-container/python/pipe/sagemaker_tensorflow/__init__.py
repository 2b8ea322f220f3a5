"""Stands for AWS's sagemaker_tensorflow, whose operation opens `/opt/ml` in C++."""

from .dataset import PipeModeDataset, PipeModeDatasetException

__all__ = ["PipeModeDataset", "PipeModeDatasetException"]
