"""A TCP proxy for tests that is as bad as a network can be: it delays, limits the rate, cuts,
half-closes and resets, as lines of JSON on its input say, and ends with its input.

Its first line of output is the port. Invariant: bytes are passed on in their order, and none is changed
or passed on twice; a setting applies to connections that come after its line was answered.
"""
import asyncio
import json
import socket
import struct
import sys
import time

RESET = struct.pack("ii", 1, 0)


class Connection:
    """A client, its connection to the service, and what is done to both."""

    def __init__(self, client, service, how):
        self.client, self.service, self.how = client, service, how
        self.passed = {"request": 0, "answer": 0}
        self.over = asyncio.Event()

    def end(self, by):
        """Ends both sides at once: by FIN, or by RST."""
        if self.over.is_set():
            return
        self.over.set()
        for sock in (self.client, self.service):
            if by == "reset":
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    def reached(self, what):
        """What is to be done now that so much was passed on; None for nothing."""
        rule = self.how.get("end")
        if rule is None or rule.get("of", "answer") != what:
            return None
        return rule["by"] if self.passed[what] >= rule["after"] else None


async def carry(loop, connection, source, sink, what):
    """Passes on what comes from one side to the other, until there is no more."""
    delay, rate = connection.how.get("delayMs", 0) / 1000, connection.how.get("bytesPerSecond")
    waiting = asyncio.Queue(64)

    async def take():
        while True:
            data = await loop.sock_recv(source, piece_of(rate))
            await waiting.put((time.monotonic() + delay, data))
            if not data:
                return

    async def give():
        while True:
            due, data = await waiting.get()
            await asyncio.sleep(max(0, due - time.monotonic()))
            if not data:
                sink.shutdown(socket.SHUT_WR)
                return
            if await pass_on(loop, connection, sink, data, what) == "half-close":
                return
            if rate is not None:
                await asyncio.sleep(len(data) / rate)

    taking = asyncio.ensure_future(take())
    try:
        await give()
    finally:
        taking.cancel()


def piece_of(rate):
    return 65536 if rate is None else max(1, min(65536, rate // 20))


async def pass_on(loop, connection, sink, data, what):
    """Sends it, no further than where the connection is to end. Returns `half-close` after one."""
    rule = connection.how.get("end")
    if rule is not None and rule.get("of", "answer") == what:
        data = data[: max(0, rule["after"] - connection.passed[what])]
    await loop.sock_sendall(sink, data)
    connection.passed[what] += len(data)
    by = connection.reached(what)
    if by == "half-close":
        sink.shutdown(socket.SHUT_WR)
        return by
    if by is not None:
        connection.end(by)
        await asyncio.Event().wait()
    return None


class Proxy:
    def __init__(self, words):
        self.target = (words["host"], words["port"])
        self.how = {}

    async def serve(self, listener):
        loop = asyncio.get_running_loop()
        while True:
            client, _ = await loop.sock_accept(listener)
            asyncio.ensure_future(self.take(loop, client))

    async def take(self, loop, client):
        how = self.how
        client.setblocking(False)
        service = socket.socket()
        service.setblocking(False)
        if how.get("bytesPerSecond") is not None:
            # Else the proxy's own buffer would hold what the slow link does not take.
            service.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16384)
        connection = Connection(client, service, how)
        tasks = []
        try:
            await loop.sock_connect(service, self.target)
            sides = ((client, service, "request"), (service, client, "answer"))
            tasks = [asyncio.ensure_future(carry(loop, connection, *side)) for side in sides]
            over = asyncio.ensure_future(connection.over.wait())
            tasks.append(over)
            await self.until_over(tasks[:2], over)
        except OSError:
            # One side is gone by RST: so goes the other.
            connection.end("reset")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            client.close()
            service.close()

    async def until_over(self, ways, over):
        """Until both ways are done, one breaks, or the connection is ended."""
        left = set(ways)
        while left and not over.done():
            done, _ = await asyncio.wait({*left, over}, return_when=asyncio.FIRST_COMPLETED)
            for way in done & left:
                way.result()
            left -= done

    def told(self, how):
        self.how = how
        print("{}", flush=True)


async def main():
    loop = asyncio.get_running_loop()
    words = json.loads(sys.argv[1])
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((words["listen"], 0))
    listener.listen(4096)
    listener.setblocking(False)
    proxy = Proxy(words)
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    print(json.dumps({"port": listener.getsockname()[1]}), flush=True)
    serving = asyncio.ensure_future(proxy.serve(listener))
    while text := await reader.readline():
        proxy.told(json.loads(text))
    serving.cancel()


asyncio.run(main())
