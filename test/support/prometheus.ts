/** Reads the Prometheus text format: every sample by its name with its labels. */

/** @throws Error on a line that is neither a comment nor a sample. */
export function samplesOf(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# ')) continue
    const match = /^([a-z_]+(?:\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})?) (-?\d[\d.e+-]*)$/.exec(
      line,
    )
    if (match === null) throw new Error(`no sample: ${line}`)
    if (samples.has(match[1]!)) throw new Error(`twice: ${line}`)
    samples.set(match[1]!, Number(match[2]))
  }
  return samples
}

/** What `/metrics` of a service says by a name, with its labels; undefined where it says nothing. */
export async function metricOf(
  { address }: { readonly address: string },
  name: string,
): Promise<number | undefined> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return samplesOf(text).get(`authority_index_${name}`)
}
