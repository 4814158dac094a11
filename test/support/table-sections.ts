/** Tables beside tests: sections below titles, `# …`, of rows whose cells are parted by tabs. */
import { readFileSync } from 'node:fs'

interface Section {
  readonly title: string
  readonly rows: readonly (readonly string[])[]
}

export function sectionsOf(table: URL): Section[] {
  return readFileSync(table, 'utf8')
    .slice('# '.length)
    .split('\n# ')
    .map((section) => {
      const [title = '', ...lines] = section.split('\n')
      const rows = lines.filter((line) => line !== '').map((line) => line.split('\t').map(seen))
      return { title, rows }
    })
}

/** What gives the rows below a title. */
export function tableAt(table: URL): (title: string) => Section['rows'] {
  const sections = sectionsOf(table)
  return (title) => sections.find((section) => section.title === title)!.rows
}

/** `\u` and four hexadecimal digits stand for a character that is not seen. */
function seen(cell: string): string {
  return cell.replace(/\\u([0-9a-f]{4})/g, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
