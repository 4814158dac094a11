/**
 * Calls with pauses between them, for any JavaScript runtime: module of the client, address, key, pauses in seconds.
 * Writes one line of JSON: the answers of each client, or the error that its caller saw. The deadline is one that a busy
 * machine keeps: what is tested are connections.
 */
const [, , module, baseUrl, apiKey, pauses] = globalThis.process.argv
const { AuthorityClient } = await import(module)
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
const found = await Promise.all(
  JSON.parse(pauses).map(async (seconds) => {
    const client = new AuthorityClient({ baseUrl, apiKey, deadlineMs: 15_000 })
    try {
      const first = await client.match('@SenCapito')
      await pause(seconds)
      const second = await client.match('@SenCapito')
      const many = await client.detail([first.results[0].sdu])
      return [first.results[0].name, second.results[0].name, many.results[0].name, second.cost]
    } catch (error) {
      return String(error)
    } finally {
      await client.close()
    }
  }),
)
console.log(JSON.stringify(found))
