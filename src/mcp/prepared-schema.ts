/**
 * The schemas of the API as the tools give them to clients: with their JSON Schema ready.
 */
import type { z } from 'zod'

/**
 * A schema that has its JSON Schema ready. The SDK asks for it with every call, and zod makes it
 * anew each time: 0.4 ms a call, more than everything else of it together.
 */
export function prepared<Output>(schema: z.ZodType<Output>) {
  const standard = schema['~standard']
  const target = { target: 'draft-2020-12' } as const
  const input = standard.jsonSchema.input(target)
  const output = standard.jsonSchema.output(target)
  const jsonSchema = { input: () => input, output: () => output }
  return { '~standard': { ...standard, jsonSchema } }
}
