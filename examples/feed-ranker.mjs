/**
 * A feed ranker: sources arrive in batches, and each batch leaves in the order of its authors' authority, with
 * a score for each source. Run it beside a service:
 *
 *     AUTHORITY_INDEX_KEY=aik_… node examples/feed-ranker.mjs 10000 5
 *
 * The words are the sources in a batch and the number of batches. Each batch is one second of the feed: the program
 * prints how long it took and what it cost.
 */
import { AuthorityIndex } from 'authority-index/client'

const [, , size = '10000', batches = '5'] = process.argv
const client = new AuthorityIndex()

/** Posts as a feed brings them: an address, and how well it fits the reader, 0 to 1. */
function nextBatch(number) {
  const authors = ['x.com/SenCapito', 'github.com/davidtwco', 'x.com/SenatorDurbin']
  return Array.from({ length: Number(size) }, (_, at) => ({
    url: `https://${authors[at % 7] ?? `x.com/reader${at}`}/status/${number * Number(size) + at}`,
    relevance: ((at * 7919) % 1000) / 1000,
  }))
}

/** How much the author counts beside the fit. */
const weight = 0.3

for (let number = 0; number < Number(batches); number += 1) {
  const posts = nextBatch(number)
  const startedMs = performance.now()
  const urls = posts.map(({ url }) => url)
  const { data: authors, cost } = await client.rank(urls, { aligned: true }).withResponse()
  const scored = posts.map((post, at) => ({
    ...post,
    score: (1 - weight) * post.relevance + (weight * (authors[at].authority_score ?? 0)) / 100,
  }))
  scored.sort((a, b) => b.score - a.score)
  const known = authors.filter(({ sdu }) => sdu !== null).length
  const ms = Math.round(performance.now() - startedMs)
  console.log(
    JSON.stringify({ sources: posts.length, known, ms, costUsd: cost, first: scored[0].url }),
  )
}
