/**
 * A request as the code that asks the same, to be pasted: for a shell, in JavaScript and in Python,
 * each without a library. The key stands in a variable and never in the code.
 */
import { type ApiQuery, requestTargetOf } from './requests.ts'

/** The languages, with how people call them. */
export const languages = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const

/** The name of a language. */
export type Language = keyof typeof languages

/** Environment variable that holds the key for the code. */
export const keyVariable = 'AUTHORITY_INDEX_KEY'

/** The code of a request to the service at an origin. */
export function snippetOf(language: Language, query: ApiQuery, origin: string): string {
  return writers[language](query, `${origin}${requestTargetOf(query)}`)
}

/** The whole request as it is sent, but for the key. */
export function requestText(query: ApiQuery, host: string, needsKey: boolean): string {
  const { method, body } = query
  const lines = [
    `${method} ${requestTargetOf(query)} HTTP/1.1`,
    `Host: ${host}`,
    ...(needsKey ? [`Authorization: Bearer $${keyVariable}`] : []),
    ...(body === undefined ? [] : ['Content-Type: application/json', '', body]),
  ]
  return lines.join('\n')
}

type Writer = (query: ApiQuery, address: string) => string

const writers: Readonly<Record<Language, Writer>> = {
  curl: ({ body }, address) => {
    const key = `-H "Authorization: Bearer $${keyVariable}"`
    if (body === undefined) return `curl ${key} \\\n  ${shellText(address)}`
    return [
      `curl ${key} \\`,
      "  -H 'Content-Type: application/json' \\",
      `  -d ${shellText(body)} \\`,
      `  ${shellText(address)}`,
    ].join('\n')
  },
  javascript: ({ method, body }, address) => {
    const type = body === undefined ? [] : ["    'Content-Type': 'application/json',"]
    return [
      "import { env } from 'node:process'",
      '',
      `const response = await fetch(${scriptText(address)}, {`,
      ...(method === 'GET' ? [] : [`  method: '${method}',`]),
      '  headers: {',
      `    Authorization: \`Bearer \${env.${keyVariable}}\`,`,
      ...type,
      '  },',
      ...(body === undefined ? [] : [`  body: ${scriptText(body)},`]),
      '})',
      'const { results } = await response.json()',
    ].join('\n')
  },
  python: ({ body }, address) => {
    const type = body === undefined ? [] : ['        "Content-Type": "application/json",']
    const data = body === undefined ? [] : [`    data=${scriptText(body, '"')}.encode(),`]
    return [
      'import json, os, urllib.request',
      '',
      'request = urllib.request.Request(',
      `    ${scriptText(address, '"')},`,
      ...data,
      '    headers={',
      `        "Authorization": "Bearer " + os.environ["${keyVariable}"],`,
      ...type,
      '    },',
      ')',
      'with urllib.request.urlopen(request) as response:',
      '    results = json.load(response)["results"]',
    ].join('\n')
  },
}

/** A text for a shell: only its own quotation mark ends it. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A text for JavaScript and Python, which agree on these escapes. */
function scriptText(text: string, mark: "'" | '"' = "'"): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(mark, `\\${mark}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
  return mark + escaped + mark
}
