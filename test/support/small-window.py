"""Sends a request over a connection with small segments and a small window, reads until a text has come, plain or as gzip, and
resets the connection. Usage: PORT TEXT < REQUEST > BYTES. The kernel of the other end can hold little of its answer."""

import socket
import struct
import sys
import zlib

segment_bytes = 536
window_bytes = 4096
bytes_max = 8_000_000

port, until = int(sys.argv[1]), sys.argv[2].encode()
connection = socket.socket()
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, segment_bytes)
connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window_bytes)
connection.connect(("127.0.0.1", port))
connection.sendall(sys.stdin.buffer.read())
got = b""
body = None
inflater = zlib.decompressobj(31)
text = b""
while until not in text and len(got) < bytes_max:
    chunk = connection.recv(window_bytes)
    if chunk == b"":
        break
    got += chunk
    if body is None:
        head, separator, rest = got.partition(b"\r\n\r\n")
        if separator == b"":
            continue
        body = b"content-encoding: gzip" in head.lower()
        chunk = rest
    text += inflater.decompress(chunk) if body else chunk
connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
connection.close()
sys.stdout.buffer.write(text)
