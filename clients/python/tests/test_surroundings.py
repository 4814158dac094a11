"""What surrounds a client: forked processes and proxies, both real; without a service."""

import asyncio
import json
import multiprocessing
import os
import pathlib
import select
import ssl
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

from authority_index import AsyncClient, Client, ConnectionFailedError

from .test_clients import CERTIFICATES, Server

PROXY = pathlib.Path(__file__).parent / "proxy.py"
NAMES = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]


def in_child(work):
    """What `work` gives in a forked process, as text; it has ten seconds."""
    end, start = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = repr(work())
        except BaseException as error:
            text = f"failed: {error!r}"
        os.write(start, text.encode())
        os._exit(0)
    os.close(start)
    try:
        if not select.select([end], [], [], 10)[0]:
            os.kill(child, 9)
            return "it hangs"
        return os.read(end, 65_536).decode()
    finally:
        os.close(end)
        os.waitpid(child, 0)


def asked(client):
    return len(client.topics().results)


@unittest.skipUnless(hasattr(os, "fork"), "this system has no fork")
class Forked(unittest.TestCase):
    def setUp(self):
        self.server = Server(100)
        self.addCleanup(self.server.close)
        self.address = f"http://127.0.0.1:{self.server.port}"

    def test_a_child_opens_connections_of_its_own(self):
        with Client(self.address, "aik_1") as client:
            asked(client)
            asked(client)
            self.assertEqual(self.server.connections, 1)
            [lane] = client._transport._lanes
            number = lane.socket.fileno()
            self.assertEqual(in_child(lane.socket.fileno), "-1")
            self.assertEqual(lane.socket.fileno(), number)
            asked(client)
            self.assertEqual(self.server.connections, 1)

    def test_a_child_of_a_client_in_use_waits_for_no_lock_of_its_parent(self):
        with Client(self.address, "aik_1", connections_max=1) as client:
            transport, core = client._transport, client._core
            held = [transport._lock, transport._places, core.caller._budget._lock, core.spending._lock]
            for each in held:
                each.acquire()
            try:
                server = Server(100)
                self.addCleanup(server.close)
                client._core.caller._addresses[:] = [f"http://127.0.0.1:{server.port}"]
                self.assertEqual(in_child(lambda: asked(client)), "0")
            finally:
                for each in held:
                    each.release()

    def test_workers_of_a_pool_ask_at_once(self):
        servers = [Server(100) for _ in range(3)]
        for each in servers:
            self.addCleanup(each.close)
        with Client(self.address, "aik_1") as client:
            asked(client)
            context = multiprocessing.get_context("fork")
            children = []
            for server in servers:
                client._core.caller._addresses[:] = [f"http://127.0.0.1:{server.port}"]
                pipe, theirs = context.Pipe()
                child = context.Process(target=lambda send: send(asked(client)), args=(theirs.send,))
                child.start()
                children.append((child, pipe))
            for child, pipe in children:
                self.assertTrue(pipe.poll(10))
                self.assertEqual(pipe.recv(), 0)
                child.join(10)
                self.assertEqual(child.exitcode, 0)
                pipe.close()

    def test_an_event_loop_of_a_child_uses_nothing_of_that_of_its_parent(self):
        async def parent():
            async with AsyncClient(self.address, "aik_1") as client:
                await client.topics()
                server = Server(100)
                address = client._core.caller._addresses[0]
                client._core.caller._addresses[:] = [f"http://127.0.0.1:{server.port}"]

                def work():
                    async def ask():
                        return len((await client.topics()).results)

                    result = []
                    thread = threading.Thread(target=lambda: result.append(asyncio.run(ask())))
                    thread.start()
                    thread.join(8)
                    return result

                said = await asyncio.get_running_loop().run_in_executor(None, in_child, work)
                server.close()
                client._core.caller._addresses[:] = [address]
                await client.topics()
                return said

        self.assertEqual(asyncio.run(parent()), "[0]")
        self.assertEqual(self.server.connections, 1)


class Proxied(unittest.TestCase):
    def setUp(self):
        clean = {name: value for name, value in os.environ.items() if name.lower() not in NAMES}
        patch = mock.patch.dict(os.environ, clean, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def proxy(self, *words):
        """A proxy of its own process: its port, and what it was asked so far."""
        process = subprocess.Popen([sys.executable, str(PROXY), *words], stdout=subprocess.PIPE, text=True)
        heads = []
        port = int(process.stdout.readline())
        reader = threading.Thread(target=lambda: heads.extend(json.loads(line) for line in process.stdout))
        reader.start()

        def end():
            process.kill()
            process.wait()
            reader.join()
            process.stdout.close()

        self.addCleanup(end)
        return port, heads

    def service(self, tls=None):
        server = Server(100, tls)
        self.addCleanup(server.close)
        return server

    def ask_both(self, address, **options):
        with Client(address, "aik_secret", **options) as client:
            self.assertEqual(asked(client), 0)
            self.assertEqual(asked(client), 0)

        async def ask():
            async with AsyncClient(address, "aik_secret", **options) as client:
                await client.topics()
                await client.topics()

        asyncio.run(ask())

    def wait_for(self, heads, number):
        ends = time.monotonic() + 5
        while len(heads) < number and time.monotonic() < ends:
            time.sleep(0.01)

    def test_http_goes_through_the_proxy_of_http_in_either_case(self):
        for name in ["http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"]:
            with self.subTest(name):
                port, heads = self.proxy()
                server = self.service()
                with mock.patch.dict(os.environ, {name: f"http://ann:p%40ss@127.0.0.1:{port}"}):
                    self.ask_both(f"http://127.0.0.1:{server.port}")
                self.wait_for(heads, 2)
                for head in heads:
                    self.assertEqual(head[0], f"GET http://127.0.0.1:{server.port}/api/v1/topics HTTP/1.1")
                    # ann:p@ss
                    self.assertIn("Proxy-Authorization: Basic YW5uOnBAc3M=", head)
                self.assertEqual((len(heads), server.connections), (2, 2))

    def test_https_goes_through_a_tunnel_that_hides_the_key(self):
        if not (CERTIFICATES / "certificate.pem").exists():
            self.skipTest("the certificate of the repository is not here")
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(CERTIFICATES / "certificate.pem", CERTIFICATES / "certificate-key.pem")
        trusting = ssl.create_default_context(cafile=str(CERTIFICATES / "certificate.pem"))
        trusting.check_hostname = False
        for name in ["https_proxy", "HTTPS_PROXY", "ALL_PROXY"]:
            with self.subTest(name):
                port, heads = self.proxy()
                server = self.service(tls)
                with mock.patch.dict(os.environ, {name: f"127.0.0.1:{port}", "http_proxy": "http://127.0.0.1:9"}):
                    self.ask_both(f"https://localhost:{server.port}", tls=trusting)
                    with Client(f"https://localhost:{server.port}", "aik_secret", retries=0) as strict:
                        with self.assertRaises(ConnectionFailedError):
                            strict.topics()
                self.wait_for(heads, 3)
                for head in heads:
                    self.assertEqual(head[0], f"CONNECT localhost:{server.port} HTTP/1.1")
                    self.assertNotIn("aik_secret", json.dumps(head))
                self.assertEqual(len(heads), 3)

    def test_no_proxy_is_kept(self):
        for none in ["127.0.0.1", "*", "other.test,127.0.0.1", "127.0.0.1:{port}", " 127.0.0.1 "]:
            for name in ["no_proxy", "NO_PROXY"]:
                with self.subTest((name, none)):
                    server = self.service()
                    variables = {"http_proxy": "http://127.0.0.1:9", name: none.format(port=server.port)}
                    with mock.patch.dict(os.environ, variables):
                        self.ask_both(f"http://127.0.0.1:{server.port}")
                    self.assertEqual(server.connections, 2)

    def test_the_other_scheme_has_no_proxy(self):
        server = self.service()
        with mock.patch.dict(os.environ, {"https_proxy": "http://127.0.0.1:9"}):
            self.ask_both(f"http://127.0.0.1:{server.port}")
        self.assertEqual(server.connections, 2)

    def test_a_proxy_that_refuses_is_no_connection_and_is_not_told_the_key(self):
        port, heads = self.proxy("refuse")
        with mock.patch.dict(os.environ, {"https_proxy": f"http://127.0.0.1:{port}"}):
            with Client("https://service.test", "aik_secret", retries=0) as client:
                with self.assertRaisesRegex(ConnectionFailedError, "407"):
                    client.topics()

            async def ask():
                async with AsyncClient("https://service.test", "aik_secret", retries=0) as client:
                    with self.assertRaisesRegex(ConnectionFailedError, "407"):
                        await client.topics()

            asyncio.run(ask())
        self.wait_for(heads, 2)
        self.assertEqual({head[0] for head in heads}, {"CONNECT service.test:443 HTTP/1.1"})
        self.assertNotIn("aik_secret", json.dumps(heads))

    def test_a_proxy_of_another_kind_is_refused_in_words(self):
        with mock.patch.dict(os.environ, {"ALL_PROXY": "socks5://ann:secret@127.0.0.1:9"}):
            with Client("https://service.test", "aik_1") as client:
                with self.assertRaisesRegex(ValueError, "not an address of http") as caught:
                    client.topics()
        self.assertNotIn("secret", str(caught.exception))
