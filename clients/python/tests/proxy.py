"""A small HTTP proxy as a process of its own: prints its port, then the first line and the headers of each request."""

import json
import socket
import sys
import threading


def main() -> None:
    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], flush=True)
    while True:
        connection, _ = server.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


def serve(client: socket.socket) -> None:
    data = b""
    while b"\r\n\r\n" not in data:
        more = client.recv(65_536)
        if more == b"":
            return
        data += more
    head = data.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    # As one write, so that no two lines mix.
    sys.stdout.write(json.dumps(head) + "\n")
    sys.stdout.flush()
    method, target, _ = head[0].split(" ")
    if sys.argv[1:] == ["refuse"]:
        client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        client.close()
        return
    place = target if method == "CONNECT" else target.split("/")[2]
    name, _, port = place.rpartition(":")
    service = socket.create_connection((name, int(port)))
    if method == "CONNECT":
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
    else:
        service.sendall(data)
    threading.Thread(target=passed_on, args=(service, client), daemon=True).start()
    passed_on(client, service)


def passed_on(source: socket.socket, target: socket.socket) -> None:
    try:
        data = source.recv(65_536)
        while data != b"":
            target.sendall(data)
            data = source.recv(65_536)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


main()
