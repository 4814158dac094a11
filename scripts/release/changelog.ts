/**
 * The changelog as a release reads and dates it. What is not released stands under `## Unreleased`; an item that
 * breaks something begins with `**Breaking:**`.
 */

const unreleasedShape = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m

/** What is not released yet, without its heading; '' where there is nothing. */
export function unreleasedIn(changelog: string): string {
  return unreleasedShape.exec(changelog)?.[1]?.trim() ?? ''
}

/** The items that break something, each with its further lines, without the mark. */
export function breakingIn(section: string): string[] {
  return [...section.matchAll(/^- \*\*Breaking:\*\* (.*(?:\n {2}.*)*)/gm)].map(
    ([, item = '']) => item,
  )
}

/** Whether a version has a section. */
export function hasSection(changelog: string, version: string): boolean {
  return changelog.split('\n').some((line) => line.startsWith(`## ${version},`))
}

/** The changelog with what was not released under the heading of a version, and nothing that is not released. */
export function dated(changelog: string, version: string, day: string): string {
  const count = breakingIn(unreleasedIn(changelog)).length
  const mark = count === 0 ? '' : ` (${count} breaking ${count === 1 ? 'change' : 'changes'})`
  return changelog.replace(
    /^## Unreleased$/m,
    () => `## Unreleased\n\n## ${version}, ${day}${mark}`,
  )
}

/** The notes of a release: what breaks first, then the whole section. */
export function releaseNotes(changelog: string, version: string, day: string): string {
  const section = unreleasedIn(changelog)
  const breaking = breakingIn(section).map((item) => `- ${item}`)
  const first = breaking.length === 0 ? [] : ['## Breaking changes', '', ...breaking, '']
  return [
    `# Authority Index ${version}, ${day}`,
    '',
    ...first,
    '## All changes',
    '',
    section,
    '',
  ].join('\n')
}
