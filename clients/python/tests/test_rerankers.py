"""The rerankers on doubles of the classes of LlamaIndex and LangChain, which are not installed here.

The doubles have what the rerankers use, by the published sources of both: models whose fields are annotated, made
with keywords, and one method that subclasses write.
"""

import importlib
import sys
import types
import unittest

from authority_index.rerank import blended, source_of
from authority_index.scores import known_scores, scores_like, texts_of


class Model:
    """A model as pydantic's: fields are annotations of the class and its parents, defaults are attributes."""

    def __init__(self, **given):
        fields = [name for each in type(self).__mro__ for name in vars(each).get("__annotations__", {})]
        unknown = set(given) - set(fields)
        if unknown:
            raise TypeError(f"unknown fields {unknown}")
        for name in fields:
            if name in given or hasattr(type(self), name):
                setattr(self, name, given[name] if name in given else vars(type(self)).get(name))


class Document(Model):
    page_content: str
    metadata: dict


class Node(Model):
    text: str
    metadata: dict


class NodeWithScore(Model):
    node: Node
    score: float = None


class BaseNodePostprocessor(Model):
    def postprocess_nodes(self, nodes, query_bundle=None):
        return self._postprocess_nodes(nodes, query_bundle)


class FakeClient:
    """Scores of ann and bob."""

    def __init__(self):
        self.asked = []

    def scores(self, sources, **params):
        self.asked.append((sources, params))
        return [{"ann": 90.0, "bob": 40.0}.get(source, float("nan")) for source in sources]


def module(name, **members):
    made = types.ModuleType(name)
    vars(made).update(members)
    return made


class Rerankers(unittest.TestCase):
    def setUp(self):
        doubles = {
            "llama_index": module("llama_index"),
            "llama_index.core": module("llama_index.core"),
            "llama_index.core.postprocessor": module("llama_index.core.postprocessor"),
            "llama_index.core.postprocessor.types": module("types", BaseNodePostprocessor=BaseNodePostprocessor),
            "llama_index.core.schema": module("schema", NodeWithScore=NodeWithScore, QueryBundle=object),
            "langchain_core": module("langchain_core"),
            "langchain_core.documents": module("documents", BaseDocumentCompressor=Model, Document=Document),
        }
        sys.modules.update(doubles)
        names = ["authority_index.llama_index", "authority_index.langchain"]
        self.addCleanup(lambda: [sys.modules.pop(name, None) for name in [*doubles, *names]])

    def test_nodes_of_authorities_come_first(self):
        kind = importlib.import_module("authority_index.llama_index").AuthorityPostprocessor
        nodes = [
            NodeWithScore(node=Node(text="1", metadata={"source": "nobody"}), score=0.9),
            NodeWithScore(node=Node(text="2", metadata={"url": "ann"}), score=0.6),
            NodeWithScore(node=Node(text="3", metadata={}), score=0.2),
        ]
        found = kind(client=FakeClient(), alpha=0.5).postprocess_nodes(nodes)
        self.assertEqual([each.node.text for each in found], ["2", "1", "3"])
        for each, score in zip(found, [0.75, 0.45, 0.1]):
            self.assertAlmostEqual(each.score, score)
        self.assertEqual([each.score for each in nodes], [0.9, 0.6, 0.2])
        self.assertEqual(kind.class_name(), "AuthorityPostprocessor")
        few = kind(client=FakeClient(), alpha=0.5, top_n=1, source_of=lambda _: "bob").postprocess_nodes(nodes)
        self.assertEqual([each.node.text for each in few], ["1"])

    def test_documents_of_authorities_come_first(self):
        kind = importlib.import_module("authority_index.langchain").AuthorityCompressor
        documents = [
            Document(page_content="1", metadata={"source": "nobody"}),
            Document(page_content="2", metadata={"source": "bob"}),
            Document(page_content="3", metadata={"source": "ann", "relevance_score": 0.8}),
        ]
        found = kind(client=FakeClient(), alpha=0.5).compress_documents(documents, "query")
        self.assertEqual([each.page_content for each in found], ["3", "2", "1"])
        for each, score in zip(found, [0.85, (2 / 3 + 0.4) / 2, 0.5]):
            self.assertAlmostEqual(each.metadata["authority_rerank"], score)
        self.assertNotIn("authority_rerank", documents[0].metadata)

    def test_alpha_is_the_share_of_authority_and_equals_keep_their_order(self):
        client = FakeClient()
        for alpha in (0.0, 0.25, 1.0):
            found = dict(blended(client, ["ann", "nobody", "bob"], [0.2, 0.4, 0.4], alpha))
            for place, relevance, authority in [(0, 0.2, 0.9), (1, 0.4, 0.0), (2, 0.4, 0.4)]:
                self.assertAlmostEqual(found[place], (1 - alpha) * relevance + alpha * authority)
        self.assertEqual([place for place, _ in blended(client, ["x", "y"], [0.5, 0.5], 0.5)], [0, 1])
        blended(client, ["ann"], [1.0], 0.5, topic="Rust")
        self.assertEqual(client.asked[-1], (["ann"], {"topic": "Rust"}))
        self.assertEqual(source_of({"source": 7, "url": "ann"}), "ann")


class Scores(unittest.TestCase):
    def test_a_series_gives_a_series_and_a_list_needs_no_numpy(self):
        class Series(list):
            def __init__(self, values, index=None, dtype=None, name=None):
                super().__init__(values)
                self.index, self.dtype, self.name = index, dtype, name

        known = known_scores([{"source": "ann", "sdu": "1", "authority_score": 9.5}, {"source": "x", "sdu": None}])
        series = Series(["ann", float("nan"), "x"], index=[7, 8, 9])
        texts = texts_of(series)
        self.assertEqual(texts, ["ann", None, "x"])
        saved = {name: sys.modules.get(name) for name in ("pandas", "numpy")}
        try:
            sys.modules["pandas"] = module("pandas", Series=Series)
            found = scores_like(series, texts, known)
            self.assertEqual((type(found), found.index, found.dtype), (Series, [7, 8, 9], "float64"))
            self.assertEqual((found[0], found[1] != found[1], found[2] != found[2]), (9.5, True, True))
            sys.modules["numpy"] = None
            self.assertIs(type(scores_like(["ann"], ["ann"], known)), list)
        finally:
            for name, held in saved.items():
                sys.modules.pop(name, None)
                if held is not None:
                    sys.modules[name] = held

    def test_an_array_is_given_where_numpy_is_there(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not installed")
        found = scores_like(["ann", "x"], ["ann", "x"], {"ann": 9.5})
        self.assertIsInstance(found, numpy.ndarray)
        self.assertEqual(found[0], 9.5)
