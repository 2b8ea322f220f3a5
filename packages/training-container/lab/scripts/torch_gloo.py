"""As the notebook's script: rank and world size of SM_HOSTS, gradients averaged by hand; the container gives MASTER_ADDR and MASTER_PORT."""

import json
import os

import torch
import torch.distributed as dist

hosts, host = json.loads(os.environ["SM_HOSTS"]), os.environ["SM_CURRENT_HOST"]
os.environ["RANK"], os.environ["WORLD_SIZE"] = str(hosts.index(host)), str(len(hosts))
dist.init_process_group("gloo")
print("rank %d of %d over %s" % (dist.get_rank(), dist.get_world_size(), dist.get_backend()))
torch.manual_seed(1)
torch.set_num_threads(1)
model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.manual_seed(dist.get_rank())
for _ in range(20):
    loss = model(torch.randn(16, 8)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()
print("weights %.9f" % sum(parameter.abs().sum().item() for parameter in model.parameters()))
torch.save(model.state_dict(), "/opt/ml/model/model.pth")
dist.destroy_process_group()
