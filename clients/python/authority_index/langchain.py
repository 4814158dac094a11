"""A compressor for LangChain that brings documents of authorities to the front. Needs `langchain-core`.

    AuthorityCompressor(client=Client(address, key), alpha=0.3)
"""

from typing import Any, Callable, Optional, Sequence

from langchain_core.documents import BaseDocumentCompressor, Document

from .rerank import blended, source_of


class AuthorityCompressor(BaseDocumentCompressor):
    """Orders documents by (1 - alpha) * relevance + alpha * authority; the score is in `metadata["authority_rerank"]`.

    Relevance is `metadata["relevance_score"]`, else that of the place. `source_of` finds the source in the metadata
    of a document; `top_n` is how many documents stay, all unless given.
    """

    client: Any
    alpha: float = 0.3
    top_n: Optional[int] = None
    source_of: Callable[..., Optional[str]] = source_of

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Optional[Any] = None
    ) -> Sequence[Document]:
        """The documents in their new order; those that were given stay as they are."""
        sources = [self.source_of(document.metadata) for document in documents]
        relevances = [document.metadata.get("relevance_score") for document in documents]
        order = blended(self.client, sources, relevances, self.alpha)[: self.top_n]
        return [_scored(documents[place], score) for place, score in order]


def _scored(document: Document, score: float) -> Document:
    return Document(page_content=document.page_content, metadata={**document.metadata, "authority_rerank": score})
