/** JSON Schema from zod schemas. */
import * as z from 'zod'

export type Json = Readonly<Record<string, unknown>>

/**
 * JSON Schema 2020-12. An open object says nothing of other members; a constant is a list of one value, because
 * generators of clients make values of constants.
 */
export function jsonSchemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      const { additionalProperties: more, const: only } = jsonSchema
      if (only !== undefined) {
        delete jsonSchema.const
        jsonSchema.enum = [only]
      }
      const isOpen = typeof more === 'object' && Object.keys(more).length === 0
      if (isOpen && jsonSchema.properties !== undefined) delete jsonSchema.additionalProperties
    },
  })
  return json
}
