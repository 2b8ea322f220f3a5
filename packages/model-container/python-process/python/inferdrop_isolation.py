"""What network isolation of a model comes to in a process of Python: connections end as they do without a route.

An audit hook cannot be taken back, but it sees this interpreter only: programs that it starts, and extensions that open sockets by
themselves, are not kept from anything.
"""

import errno
import os
import socket
import sys

_LOOPBACK = {"127.0.0.1", "::1", "localhost"}


def reach_only(ports):
    """Leaves these ports of the container's own loopback; None leaves all of the network."""
    if ports is not None:
        allowed = frozenset(ports)
        _refuse_all_but(lambda port: port in allowed)


def reach_loopback_but(ports):
    """Leaves the loopback, where the hosts of one training job are, without these ports."""
    closed = frozenset(ports)
    _refuse_all_but(lambda port: port not in closed)


def _refuse_all_but(is_open):

    def refuse_network(event, args):
        if event in ("socket.getaddrinfo", "socket.gethostbyname"):
            host = args[0].decode() if isinstance(args[0], bytes) else args[0]
            if host not in _LOOPBACK and host is not None:
                raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        elif event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
            address = args[1]
            if not isinstance(address, tuple):
                return
            host, port = address[0], address[1]
            if host not in _LOOPBACK or not is_open(port):
                raise OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH))

    sys.addaudithook(refuse_network)
