"""Where Horovod's ranks find each other over Gloo: Horovod's own rendezvous, with the ranks of each host. Prints its port."""

import sys
import threading

from horovod.runner.common.util.hosts import HostInfo, get_host_assignments
from horovod.runner.http.http_server import RendezvousServer

per_host, hosts = int(sys.argv[1]), sys.argv[2:]
server = RendezvousServer(0)
port = server.start()
server.init(get_host_assignments([HostInfo(name, per_host) for name in hosts], per_host * len(hosts)))
print("rendezvous %d" % port, flush=True)
threading.Event().wait()
