/** A tool as the server offers it, with the schemas of the API as clients get them. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import type { ToolWords } from '../operation.ts'
import type { AnswerSource, Asker } from './answer-source.ts'

export interface OfferedTool extends Pick<ToolWords, 'name' | 'title' | 'description'> {
  readonly inputSchema: ReturnType<typeof prepared>
  readonly outputSchema: ReturnType<typeof prepared>
  /** @param given as `inputSchema` reads it. */
  call(source: AnswerSource, given: Given, asker: Asker): Promise<CallToolResult>
}

export type Given = Readonly<Record<string, unknown>>

/**
 * The SDK reads the JSON Schema of a tool with every call, and zod would make it anew each time: 0.4 ms a call, more
 * than the rest of the call together.
 */
export function prepared<Output>(schema: z.ZodType<Output>) {
  const standard = schema['~standard']
  const target = { target: 'draft-2020-12' } as const
  const input = briefOf(standard.jsonSchema.input(target))
  const output = briefOf(standard.jsonSchema.output(target))
  const jsonSchema = { input: () => input, output: () => output }
  return { '~standard': { ...standard, jsonSchema } }
}

/**
 * Keywords that are left out: those that refuse a blank, far too long or otherwise wrong text, which descriptions and
 * refusals say in words, and the one that says that names are strings.
 */
const leftOut = ['minLength', 'maxLength', 'pattern', 'propertyNames']

/**
 * A model reads the schema with every list of tools. What goes without saying is dropped: the dialect, that an object
 * may hold anything, that a sent list has an entry, that an absent flag is off.
 */
function briefOf(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { $schema: _, ...brief } = schema
  return JSON.parse(JSON.stringify(brief), (name, value) => {
    const isOpen = (name === 'additionalProperties' || name === 'properties') && isEmpty(value)
    const isPlain = (name === 'minItems' && value === 1) || (name === 'default' && value === false)
    return isOpen || isPlain || leftOut.includes(name) ? undefined : value
  })
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
