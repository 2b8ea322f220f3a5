"""`algo-1`, `algo-2`, … are this computer, without its hosts file and for Python's own look-ups only."""

import socket

LOOPBACK = "127.0.0.1"


def answer(hosts, ports):
    """Covers the functions of `socket`; returns what maps a host and port of the job to this computer's."""
    names = frozenset(hosts)

    def mapped(host, port=None):
        name = host.decode() if isinstance(host, (bytes, bytearray)) else host
        if name not in names:
            return host, port
        return LOOPBACK, ports.get("%s:%s" % (name, port), port)

    getaddrinfo = socket.getaddrinfo
    by_name = socket.gethostbyname
    by_name_ex = socket.gethostbyname_ex

    def covered(host, port, *args, **kwargs):
        host, port = mapped(host, port)
        return getaddrinfo(host, port, *args, **kwargs)

    class Socket(socket.socket):
        """`connect` and `bind` take names, too, and resolve them in C."""

        def connect(self, address):
            return super().connect(_moved(address))

        def connect_ex(self, address):
            return super().connect_ex(_moved(address))

        def bind(self, address):
            return super().bind(_moved(address))

    def _moved(address):
        if isinstance(address, tuple) and len(address) == 2:
            return mapped(*address)
        return address

    socket.getaddrinfo = covered
    socket.gethostbyname = lambda host: by_name(mapped(host)[0])
    socket.gethostbyname_ex = lambda host: by_name_ex(mapped(host)[0])
    socket.socket = Socket
    return mapped
