/**
 * A feed ranker: sources arrive in batches, and each batch leaves in the order of its authors' authority, with
 * a score for each source. Run it beside a service:
 *
 *     node examples/feed-ranker.mjs http://127.0.0.1:8080 aik_… 10000 5
 *
 * The words are the address, the key, the sources in a batch and the number of batches. Each batch is one
 * second of the feed: the program prints how long it took and what it cost.
 */
import { AuthorityClient } from 'authority-index/client'

const [, , baseUrl = 'http://127.0.0.1:8080', apiKey = '', size = '10000', batches = '5'] =
  process.argv
const client = new AuthorityClient({ baseUrl, apiKey, deadlineMs: 10_000, partsAtOnce: 4 })

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
  // What the ranker sends are addresses; equal authors have equal scores.
  const { results, cost } = await client.rank(posts.map(({ url }) => url))
  const scores = new Map(
    results.map(({ source, authority_score }) => [source, authority_score ?? 0]),
  )
  const scored = posts.map((post) => ({
    ...post,
    score: (1 - weight) * post.relevance + (weight * scores.get(post.url)) / 100,
  }))
  scored.sort((a, b) => b.score - a.score)
  const known = results.filter(({ sdu }) => sdu !== null).length
  const ms = Math.round(performance.now() - startedMs)
  console.log(
    JSON.stringify({ sources: posts.length, known, ms, costUsd: cost, first: scored[0].url }),
  )
}
await client.close()
