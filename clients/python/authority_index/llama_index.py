"""A postprocessor for LlamaIndex that brings nodes of authorities to the front. Needs `llama-index-core`.

    AuthorityPostprocessor(client=Client(address, key), alpha=0.3)
"""

from typing import Any, Callable, List, Optional

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle

from .rerank import blended, source_of


class AuthorityPostprocessor(BaseNodePostprocessor):
    """Orders nodes by (1 - alpha) * relevance + alpha * authority, and gives each that score.

    `source_of` finds the source in the metadata of a node; `top_n` is how many nodes stay, all unless given.
    """

    client: Any
    alpha: float = 0.3
    top_n: Optional[int] = None
    source_of: Callable[..., Optional[str]] = source_of

    @classmethod
    def class_name(cls) -> str:
        """The name in LlamaIndex."""
        return "AuthorityPostprocessor"

    def _postprocess_nodes(
        self, nodes: List[NodeWithScore], query_bundle: Optional[QueryBundle] = None
    ) -> List[NodeWithScore]:
        sources = [self.source_of(node.node.metadata) for node in nodes]
        order = blended(self.client, sources, [node.score for node in nodes], self.alpha)
        return [NodeWithScore(node=nodes[place].node, score=score) for place, score in order[: self.top_n]]
