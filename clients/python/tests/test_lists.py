"""Long lists and batches: parts, the owners of spellings, and one order out of many."""

import json
import random
import unittest

from authority_index.lists import merged_ranks, owners_by_handle, possible_spellings
from authority_index.questions import body_parts, get_question, post_question, values_of


def item(source, sdu, score, rank):
    return {"source": source, "sdu": sdu, "authority_score": score, "rank": rank}


class Parts(unittest.TestCase):
    def test_parts_fit_into_bodies_and_keep_their_order(self):
        chance = random.Random(31)
        values = ["é" * chance.randrange(1, 900) + '"' * chance.randrange(3) for _ in range(4_000)] + ["\ud800"]
        parts = body_parts(values)
        self.assertEqual([value for part in parts for value in part], values)
        for part in parts:
            body = post_question("rank", {"sources": part, "topic": "x" * 200}).body
            self.assertLessEqual(len(part), 1_000)
            self.assertLessEqual(len(body), 256 << 10)
            self.assertEqual(json.loads(body)["sources"], part)
        self.assertEqual([len(part) for part in body_parts(["a"] * 2_500)], [1_000, 1_000, 500])

    def test_a_query_has_every_value_of_a_list(self):
        question = get_question("search", {"query": "a&b é", "country": ["FR", "DE"], "limit": 3, "related": False})
        expected = "/api/v1/index?query=a%26b%20%C3%A9&country=FR&country=DE&limit=3&related=false"
        self.assertEqual(question.target, expected)
        self.assertEqual(get_question("snapshot", {"id": "0a" * 16}).target, f"/api/v1/snapshots/{'0a' * 16}")
        for steps in ["..", ".", "", "a/b", "%2e%2e", "../account", "a\n"]:
            with self.assertRaises(ValueError):
                get_question("snapshot", {"id": steps})
        self.assertEqual(get_question("topics", {"cursor": None}).target, "/api/v1/topics")
        self.assertEqual(values_of("peers", {"handles": ["a", "b,c"]}), 2)


class Owners(unittest.TestCase):
    def test_a_handle_is_unowned_only_if_it_cannot_be_a_spelling(self):
        handles = ["@Ann", "https://x.com/ann", "other", "twitter:ANN", "ａｎｎ"]
        owners = owners_by_handle(handles, [{"sdu": "1", "handle": "@Ann"}, {"sdu": "2", "handle": "@Ann"}])
        self.assertEqual(owners["@Ann"], [{"sdu": "1"}, {"sdu": "2"}])
        self.assertEqual(possible_spellings(owners), ["https://x.com/ann", "twitter:ANN", "ａｎｎ"])

    def test_where_nothing_is_owned_nothing_is_a_spelling_of_it(self):
        self.assertEqual(possible_spellings(owners_by_handle(["é", "É", "%41"], [])), [])


class Order(unittest.TestCase):
    def test_parts_have_the_order_of_one_body(self):
        chance = random.Random(31)
        for params in ({}, {"topic": "Rust"}, {"topic": "Rust", "aligned": True}, {"fields": ["rank"]}):
            people = [
                (str(number).zfill(chance.choice([1, 3])), chance.choice([10.5, 20.0]), chance.choice([None, number]))
                for number in range(1, 40)
            ]
            items = [item(f"s{at}", *chance.choice(people)) for at in range(150)]
            items += [item(f"u{at}", None, None, None) for at in range(20)]
            chance.shuffle(items)
            items += items[:9]
            lists = [items[at : at + 13] for at in range(0, len(items), 13)]
            placed = [[{**each, "index": place} for place, each in enumerate(part)] for part in lists]
            whole = merged_ranks([len(items)], [[{**each, "index": at} for at, each in enumerate(items)]], params)
            for part in placed:
                chance.shuffle(part)
            self.assertEqual(merged_ranks([len(part) for part in lists], placed, params), whole)
            self.assertEqual(sorted(each["index"] for each in whole), list(range(len(items))))
            if "aligned" in params:
                self.assertEqual([each["index"] for each in whole], list(range(len(items))))
                whole.sort(key=lambda each: each["position"])
            if "fields" in params:
                self.assertEqual(set(whole[0]), {"source", "rank", "index"})
            if "topic" in params:
                ranks = [each["rank"] for each in whole if each["rank"] is not None]
                self.assertEqual(ranks, sorted(ranks))
