/**
 * Calls with pauses between them, for any JavaScript runtime: module of the client, address, key, pauses in seconds.
 * Writes one line of JSON: the answers of each client, or the error that its caller saw, and the attempts of all. The time of a call is one that a busy
 * machine keeps: what is tested are connections.
 */
const [, , module, baseURL, apiKey, pauses] = globalThis.process.argv
const { AuthorityIndex } = await import(module)
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
let attempts = 0
const counted = (...words) => {
  attempts += 1
  return fetch(...words)
}
const found = await Promise.all(
  JSON.parse(pauses).map(async (seconds) => {
    const client = new AuthorityIndex({ baseURL, apiKey, timeoutMs: 15_000, fetch: counted })
    try {
      const first = await client.match('@SenCapito')
      await pause(seconds)
      const second = await client.match('@SenCapito')
      const [profile] = await client.detail([first.sdu])
      return [first.name, second.name, profile.name]
    } catch (error) {
      return String(error)
    }
  }),
)
console.log(JSON.stringify({ found, attempts }))
