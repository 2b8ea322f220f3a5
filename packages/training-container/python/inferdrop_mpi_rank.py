"""One rank under mpirun with all ranks on one computer: it takes the view of the host that it would have run on."""

import json
import os
import sys

with open(sys.argv[1]) as file:
    plan = json.load(file)
rank = int(os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ["PMIX_RANK"])
host, local = divmod(rank, plan["processesPerHost"])
view = plan["hosts"][host]
os.environ.update(view["environment"])
os.environ["OMPI_COMM_WORLD_LOCAL_RANK"] = str(local)
os.environ["OMPI_COMM_WORLD_LOCAL_SIZE"] = str(plan["processesPerHost"])
os.chdir(view["cwd"])
os.execvp(view["command"][0], view["command"])
