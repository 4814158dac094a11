/** Tables beside tests: sections below titles, `# …`, of rows whose cells are parted by tabs. */
import { readFileSync } from 'node:fs'

interface Section {
  readonly title: string
  readonly rows: readonly (readonly string[])[]
}

/** `\u` and four hexadecimal digits stand for a character that is not seen. */
export function sectionsOf(table: URL): Section[] {
  const seen = readFileSync(table, 'utf8').replace(/\\u([0-9a-f]{4})/g, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return seen
    .slice('# '.length)
    .split('\n# ')
    .map((section) => {
      const [title = '', ...lines] = section.split('\n')
      return { title, rows: lines.filter((line) => line !== '').map((line) => line.split('\t')) }
    })
}
