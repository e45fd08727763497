import type { JsonSchema } from '@community/testing'

interface Schemas {
  components: { schemas: Record<string, JsonSchema> }
}

/** A schema without its own reference and `allOf`: the fields of all parts together, where the last of a keyword counts. */
export function mergeAllOf(document: Schemas, schema: JsonSchema): JsonSchema {
  const { $ref, allOf, ...own } = schema
  const referenced = $ref === undefined ? undefined : document.components.schemas[$ref.split('/').at(-1) ?? '']
  const parts = [...(referenced ? [referenced] : []), ...(allOf ?? [])].map((part) => mergeAllOf(document, part))
  return parts.length === 0
    ? own
    : [...parts, own].reduce((merged, part) => ({
        ...merged,
        ...part,
        properties: { ...merged.properties, ...part.properties },
        required: [...(merged.required ?? []), ...(part.required ?? [])],
      }))
}
