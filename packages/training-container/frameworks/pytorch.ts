import { RENDEZVOUS_PORT } from '../cluster-ports.ts';
import type { Framework } from './framework.ts';

/** PyTorch in AWS's training images. */
export const pytorch: Framework = {
  title: 'PyTorch',
  repositories: ['pytorch-training', 'sagemaker-pytorch'],
  packages: ['torch'],
  module: 'sagemaker_pytorch_container.training:main',
  missing: { sagemaker_parameter_server_enabled: 'the PyTorch container has no parameter servers' },
  instead: 'use torch_distributed, or mpi, or no distribution and torch.distributed in the script',
  errors: [],
  // The container takes this end of Gloo for the end of its peers.
  ignoredAbort: "terminate called after throwing an instance of 'gloo::EnforceNotMet'",
  variables: ({ networkInterface }) => ({
    MASTER_ADDR: 'algo-1',
    MASTER_PORT: String(RENDEZVOUS_PORT),
    NCCL_SOCKET_IFNAME: networkInterface,
    NCCL_IB_DISABLE: '1',
    NCCL_DEBUG: 'WARN',
  }),
};
