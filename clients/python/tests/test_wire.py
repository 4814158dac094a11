"""Answers as bytes: in pieces of every size, damaged at every byte, and cut at every byte."""

import unittest

from authority_index.call import Send, WireAnswer, WireFailure
from authority_index.wire import AnswerReader, IdleLanes, Origin, request_bytes

PLAIN = b"HTTP/1.1 200 OK\r\nX-Cost-Usd: 0.001\r\nContent-Length: 14\r\n\r\n" + b'{"results":[]}'
CHUNKED = b'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n8;x=1\r\n{"result\r\n6\r\ns":[]}\r\n0\r\n\r\n'


def read(data, size):
    reader = AnswerReader()
    for at in range(0, len(data), size):
        answer = reader.feed(data[at : at + size])
        if answer is not None:
            return answer, reader
    return reader.feed(b""), reader


class Answers(unittest.TestCase):
    def test_pieces_of_any_size_are_the_same_answer(self):
        for data in (PLAIN, CHUNKED, b"HTTP/1.1 100 Continue\r\n\r\n" + PLAIN):
            for size in range(1, len(data) + 1):
                answer, reader = read(data, size)
                self.assertEqual((answer.status, answer.body), (200, b'{"results":[]}'))
                self.assertFalse(reader.has_more)

    def test_an_answer_that_is_cut_at_any_byte_is_a_failure(self):
        for data in (PLAIN, CHUNKED):
            for end in range(len(data)):
                with self.assertRaises(WireFailure):
                    read(data[:end], 7)

    def test_a_zero_at_any_byte_of_a_head_is_a_failure(self):
        for at in range(PLAIN.index(b"\r\n\r\n") + 4):
            with self.assertRaises(WireFailure):
                read(PLAIN[:at] + b"\x00" + PLAIN[at + 1 :], len(PLAIN))

    def test_bytes_behind_an_answer_are_seen(self):
        answer, reader = read(PLAIN + b"x", 4_096)
        self.assertEqual((answer.body, reader.has_more), (b'{"results":[]}', True))

    def test_an_answer_without_a_length_ends_with_its_connection(self):
        answer, _ = read(b"HTTP/1.0 200 OK\r\n\r\nabc", 4)
        self.assertEqual(answer, WireAnswer(200, {}, b"abc"))
        answer, _ = read(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", 4)
        self.assertEqual((answer.status, answer.body), (304, b""))


class Requests(unittest.TestCase):
    def test_a_header_cannot_bring_another(self):
        origin = Origin.of("http://one.test:81/base/")
        send = Send("GET", "", "/x?q=1", {"Authorization": "Bearer k"}, None, 1, False)
        self.assertEqual(
            request_bytes(origin, send),
            b"GET /base/x?q=1 HTTP/1.1\r\nHost: one.test:81\r\nAccept: application/json\r\n"
            b"Authorization: Bearer k\r\n\r\n",
        )
        with self.assertRaises(ValueError):
            request_bytes(origin, Send("GET", "", "/", {"Authorization": "k\r\nX: y"}, None, 1, False))

    def test_an_address_has_to_be_one(self):
        for address in ("ftp://one.test", "one.test", "http://"):
            with self.assertRaises(ValueError):
                Origin.of(address)


class Lane:
    def __init__(self, origin):
        self.origin, self.is_closed = origin, False

    def close(self):
        self.is_closed = True


class Idle(unittest.TestCase):
    def test_a_connection_is_used_until_its_server_drops_it_the_last_first(self):
        one, two = Origin.of("http://one.test"), Origin.of("http://two.test")
        now = [0.0]
        idle = IdleLanes(lambda: now[0])
        lanes = [Lane(one), Lane(one), Lane(two)]
        for lane in lanes:
            idle.put(lane, WireAnswer(200, {"keep-alive": "timeout=8"}, b""))
        self.assertIs(idle.take(one), lanes[1])
        now[0] = 7.0
        self.assertIsNone(idle.take(one))
        self.assertEqual([lane.is_closed for lane in lanes], [True, False, True])
        idle.put(lanes[1], WireAnswer(200, {"connection": "close"}, b""))
        self.assertTrue(lanes[1].is_closed)
