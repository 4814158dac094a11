# Clients that Node cannot be: with the packets of an Ethernet (TCP_MAXSEG), with a small window, that
# read a little at a time, or that reset their connection (SO_LINGER of 0). One order as JSON on stdin,
# its counts as JSON on stdout. Every order ends: what takes longer than `secondsMax` counts as hung.
import base64, collections, heapq, json, selectors, socket, struct, sys, time

order = json.load(sys.stdin)
host, port = '127.0.0.1', order['port']
requests = [base64.b64decode(text) for text in order['requests']]
seen = collections.Counter()


def connect():
    s = socket.socket()
    if order.get('segmentBytes'):
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, order['segmentBytes'])
    if order.get('windowBytes'):
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, order['windowBytes'])
    s.connect((host, port))
    return s


# Resets each connection: at once, after a part of the answer, or after what arrived.
def reset():
    for index in range(order['count']):
        try:
            s = connect()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            s.settimeout(10)
            s.sendall(requests[index % len(requests)])
            seen['sent'] += 1
            if index % 3 == 1:
                s.recv(1)
            if index % 3 == 2:
                time.sleep(index % 7 / 10_000)
            s.close()
        except ConnectionRefusedError:
            seen['refused'] += 1
            return
        except OSError:
            seen['failed'] += 1


class Reader:
    """One connection that asks once, and what it has got of the answer."""

    def __init__(self, request):
        self.socket = connect()
        self.socket.sendall(request)
        self.socket.setblocking(False)
        self.body = bytearray()
        self.head = None
        self.got = 0
        self.total = None
        self.untilS = time.monotonic() + order['secondsMax']

    # Reads what there is, up to a chunk; how it ended, if it did.
    def read(self):
        try:
            piece = self.socket.recv(order['chunkBytes'])
        except BlockingIOError:
            return None
        except OSError:
            return 'reset'
        if not piece:
            return 'cut'
        self.got += len(piece)
        if self.head is None or self.got <= 1_000_000:
            self.body += piece
        self.last = piece[-1:]
        if self.head is None and b'\r\n\r\n' in self.body:
            end = self.body.index(b'\r\n\r\n')
            self.head = bytes(self.body[:end])
            lines = self.head.lower().split(b'\r\n')
            lengths = [line for line in lines if line.startswith(b'content-length:')]
            self.total = end + 4 + (int(lengths[0].split(b':')[1]) if lengths else 0)
            self.bodyStart = end + 4
        if self.total is None or self.got < self.total:
            return None
        return self.whole()

    def whole(self):
        status = self.head[9:12].decode()
        if self.got > self.total:
            return 'too long'
        if b'application/json' in self.head and self.bodyStart < self.got <= 1_000_000:
            try:
                json.loads(self.body[self.bodyStart :])
            except ValueError:
                return 'garbled'
        return 'whole ' + status


# Reads whole answers, many at a time, each of them as fast or as slowly as told.
def read():
    selector, pauses, left, open_count = selectors.DefaultSelector(), [], order['count'], 0
    while left > 0 or open_count > 0:
        while left > 0 and open_count < order['connections']:
            reader = Reader(requests[left % len(requests)])
            selector.register(reader.socket, selectors.EVENT_READ, reader)
            left -= 1
            open_count += 1
        nowS = time.monotonic()
        while pauses and pauses[0][0] <= nowS:
            reader = heapq.heappop(pauses)[2]
            selector.register(reader.socket, selectors.EVENT_READ, reader)
        waitS = min(0.5, max(0, pauses[0][0] - nowS)) if pauses else 0.5
        ready = [key.data for key, _ in selector.select(waitS)]
        late = [key.data for key in selector.get_map().values() if key.data.untilS < nowS]
        for reader in {*ready, *late}:
            ended = reader.read() if reader in ready else 'hung'
            if ended is not None:
                seen[ended] += 1
                seen['bytes'] += reader.got
                selector.unregister(reader.socket)
                reader.socket.close()
                open_count -= 1
            elif order['pauseMs'] > 0:
                selector.unregister(reader.socket)
                heapq.heappush(pauses, (time.monotonic() + order['pauseMs'] / 1000, id(reader), reader))


{'reset': reset, 'read': read}[order['does']]()
json.dump(seen, sys.stdout)
