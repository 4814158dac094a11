"""What both clients have in common, and https; without a service."""

import asyncio
import inspect
import pathlib
import socket
import ssl
import threading
import unittest

from authority_index import AsyncClient, Client, ConnectionFailedError

BODY = b'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=8\r\nContent-Length: 14\r\n\r\n{"results":[]}'
CERTIFICATES = pathlib.Path(__file__).parents[3] / "test" / "support"


class Server:
    """Answers every request, and closes each connection after `requests_max` answers without a word."""

    def __init__(self, requests_max, tls=None):
        self.connections = 0
        self._max, self._tls = requests_max, tls
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    def _accept(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            if self._tls is not None:
                try:
                    connection = self._tls.wrap_socket(connection, server_side=True)
                except OSError:
                    continue
            self.connections += 1
            with connection:
                for _ in range(self._max):
                    data = b""
                    while b"\r\n\r\n" not in data:
                        more = connection.recv(65_536)
                        if more == b"":
                            break
                        data += more
                    if data == b"":
                        break
                    connection.sendall(BODY)

    def close(self):
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


class Clients(unittest.TestCase):
    def ask_three_times(self, address, **options):
        """Free questions, so that a retry is one of the connection alone."""
        with Client(address, "aik_1", **options) as client:
            for _ in range(3):
                client.topics()

        async def asked():
            async with AsyncClient(address, "aik_1", **options) as client:
                for _ in range(3):
                    await client.topics()

        asyncio.run(asked())

    def test_both_have_the_same_methods_and_parameters(self):
        def methods(kind):
            return {
                name: list(inspect.signature(member).parameters)
                for name, member in vars(kind).items()
                if callable(member) and not name.startswith("_")
            }

        self.assertEqual(methods(Client), methods(AsyncClient))
        init = [list(inspect.signature(kind.__init__).parameters) for kind in (Client, AsyncClient)]
        self.assertEqual(init[0], init[1])

    def test_a_connection_is_used_again(self):
        server = Server(3)
        self.addCleanup(server.close)
        self.ask_three_times(f"http://127.0.0.1:{server.port}")
        self.assertEqual(server.connections, 2)

    def test_a_connection_that_its_server_closed_shows_no_error(self):
        server = Server(1)
        self.addCleanup(server.close)
        # Without a budget: a connection that was dead already takes none.
        self.ask_three_times(f"http://127.0.0.1:{server.port}", retries=0)
        self.assertEqual(server.connections, 6)

    def test_https_is_checked(self):
        if not (CERTIFICATES / "certificate.pem").exists():
            self.skipTest("the certificate of the repository is not here")
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(CERTIFICATES / "certificate.pem", CERTIFICATES / "certificate-key.pem")
        server = Server(3, tls)
        self.addCleanup(server.close)
        address = f"https://localhost:{server.port}"
        trusting = ssl.create_default_context(cafile=str(CERTIFICATES / "certificate.pem"))
        trusting.check_hostname = False
        self.ask_three_times(address, tls=trusting)
        self.assertEqual(server.connections, 2)
        with Client(address, "aik_1", retries=0) as client, self.assertRaises(ConnectionFailedError):
            client.topics()

    def test_what_cannot_be_an_address_is_refused(self):
        with self.assertRaises(ValueError):
            Client([], "aik_1")
        with Client("one.test", "aik_1") as client, self.assertRaises(ValueError):
            client.topics()
