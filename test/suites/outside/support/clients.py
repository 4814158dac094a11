"""Clients of a service for tests, as they are outside: slow, half-closed, gone, or ordinary.

Reads jobs as lines of JSON, answers each with a line of JSON, ends with its input. A job opens `count`
connections, `together` at a time, sends `text` on each and reads the answer as the job says. Invariant:
every connection gives exactly one line for each request that it sent, whatever the other end does.
"""
import asyncio
import json
import socket
import struct
import sys


def opened(job):
    sock = socket.socket()
    sock.setblocking(False)
    if job.get("receiveBuffer"):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, job["receiveBuffer"])
    return sock


def reset(sock):
    """Closes it so that the other end gets RST."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


class Answer:
    """What came so far of one answer; the rest of `data` belongs to the next."""

    def __init__(self, head_only):
        self.data = b""
        self.head_only = head_only
        self.status = 0
        self.head = ""
        self.total = None

    def add(self, piece):
        self.data += piece
        while self.total is None:
            head, found, rest = self.data.partition(b"\r\n\r\n")
            if not found:
                return
            self.head = head.decode("latin1")
            self.status = int(self.head[9:12])
            if self.status == 100:
                self.data = rest
                continue
            self.total = len(head) + 4 + self.body_length()

    def body_length(self):
        if self.head_only or self.status in (204, 304):
            return 0
        for line in self.head.lower().split("\r\n"):
            if line.startswith("content-length:"):
                return int(line.split(":")[1])
        return 0

    def is_whole(self):
        return self.total is not None and len(self.data) >= self.total

    def said(self, end, keep):
        line = {"end": end, "status": self.status}
        if keep:
            line["head"] = self.head
            line["body"] = self.data[len(self.head) + 4:].decode("utf8", "replace")
        return line


async def read(loop, sock, job, answer):
    """Reads one answer at the pace of the job; returns how it ended."""
    pace, leave = job.get("bytesPerSecond"), job.get("leaveAfter")
    piece = 65536 if pace is None else max(1, min(65536, pace // 20))
    if job.get("stallMs"):
        await asyncio.sleep(job["stallMs"] / 1000)
    while not answer.is_whole():
        if leave is not None and len(answer.data) >= leave:
            return "left"
        wanted = piece if leave is None else min(piece, leave - len(answer.data))
        data = await loop.sock_recv(sock, wanted)
        if not data:
            return "closed"
        answer.add(data)
        if pace is not None:
            await asyncio.sleep(len(data) / pace)
    return "whole"


async def one(loop, job, lines):
    """One connection, from its first packet to its last."""
    sock = opened(job)
    answer = Answer(job["text"].startswith("HEAD "))
    keep, end, is_reset = job.get("keep", False), "refused", False
    try:
        await asyncio.wait_for(loop.sock_connect(sock, (job["host"], job["port"])), job["seconds"])
        for number in range(job.get("repeat", 1)):
            if number > 0:
                rest = answer.data[answer.total:]
                answer = Answer(answer.head_only)
                answer.add(rest)
            end = "hung"
            text = job["text"].encode("latin1")[:job.get("sendOnly")]
            sending = loop.sock_sendall(sock, text)
            await asyncio.wait_for(sending, job["seconds"])
            if job.get("halfClose"):
                sock.shutdown(socket.SHUT_WR)
            end = await asyncio.wait_for(read(loop, sock, job, answer), job["seconds"])
            if end != "whole":
                break
            lines.append(answer.said(end, keep))
        is_reset = job.get("leaveBy") == "reset"
    except (asyncio.TimeoutError, TimeoutError):
        pass
    except ConnectionRefusedError:
        end = "refused"
    except OSError:
        end = "reset"
    if end != "whole":
        lines.append(answer.said(end, keep))
    reset(sock) if is_reset else sock.close()


async def run(loop, job):
    lines, left = [], iter(range(job.get("count", 1)))

    async def line():
        for _ in left:
            await one(loop, job, lines)

    await asyncio.gather(*(line() for _ in range(job.get("together", 1))))
    print(json.dumps({"id": job["id"], "answers": lines}), flush=True)


async def main():
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=1 << 26)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    running = set()
    while text := await reader.readline():
        task = asyncio.ensure_future(run(loop, json.loads(text)))
        running.add(task)
        task.add_done_callback(running.discard)


asyncio.run(main())
