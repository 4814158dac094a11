/**
 * The wording of comments and documents: no phrase of the list below, which holds those that have a plain
 * substitute everywhere. Code is not read, nor the released part of the changelog.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** Refused phrases, each with what to write instead. */
const refused: readonly [RegExp, string][] = [
  [/\bwhoever\b/i, 'name the subject: the caller, a person, a client'],
  [/\b(?:of|for|to|by|with) nobody\b(?!-)/i, 'no owner, no person, none'],
  [/\b(?:is|are|was|were|be|been) told\b/i, 'reports, learns, differs, on command'],
  [/\b(?:gives?|gave|giving) way\b/i, 'yields'],
]

/** The comments of a program, or all of a document. */
function prose(name: string, text: string): string {
  if (name === 'CHANGELOG.md') return text.replace(/^## \d[\s\S]*/m, '')
  if (name.endsWith('.md')) return text
  const shape = /\.(?:py|sh|yaml)$/.test(name)
    ? /^\s*# .*$|"""[\s\S]*?"""/gm
    : /\/\*\*[\s\S]*?\*\/|(?<![:\w'"`])\/\/ .*$/gm
  return [...text.matchAll(shape)].map(([comment]) => comment).join('\n')
}

/** The phrases of a text that are refused, over the ends of lines too. */
function wrongIn(text: string): string[] {
  const plain = text.replace(/\s*\n[ \t]*(?:\* |\/\/ |# )?/g, ' ')
  return refused.flatMap(([phrase, better]) => {
    const found = phrase.exec(plain)
    if (found === null) return []
    const around = plain.slice(Math.max(0, found.index - 40), found.index + 40)
    return [`“${around}”: ${better}`]
  })
}

describe('comments and documents', () => {
  const folders = ['src', 'test', 'bench', 'scripts', 'clients', 'docs']
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  )
  const names = [
    ...inFolders,
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
  ].filter(
    (name) =>
      /\.(?:tsx?|mjs|py|sh|yaml|md)$/.test(name) &&
      !name.includes('node_modules') &&
      !name.endsWith('wording.test.ts'),
  )

  it('name who acts, without phrases that have a plain substitute', () => {
    expect(names.length).toBeGreaterThan(1_000)
    const wrong = names.flatMap((name) =>
      wrongIn(prose(name, readFileSync(join(root, name), 'utf8'))).map((one) => `${name}: ${one}`),
    )
    expect(wrong).toEqual([])
  })

  it('begin with their subject in src, not with a question', () => {
    const opening = /(?:\/\*\*|\/\/)[\s*]*(?:What|Who|Whose|Whom|Which|Where|How)\b/g
    const sources = names.filter((name) => name.startsWith('src/') && /\.tsx?$/.test(name))
    expect(sources.length).toBeGreaterThan(500)
    const begun = sources.flatMap((name) => {
      const comments = prose(name, readFileSync(join(root, name), 'utf8'))
      return [...comments.matchAll(opening)].map(({ 0: words }) => `${name}: ${words}`)
    })
    expect(begun).toEqual([])
  })

  it('are read over the ends of lines, and code is not', () => {
    const program = "/**\n * It belongs to\n * nobody.\n */\nconst whoever = 'is told'\n"
    expect(wrongIn(prose('a.ts', program))).toHaveLength(1)
    expect(wrongIn(prose('a.ts', "const whoever = 'is told' // it is told\n"))).toHaveLength(1)
    expect(wrongIn(prose('a.md', 'It yields to `@nobody`.\n'))).toEqual([])
  })
})
