import { CONTACT_EMAIL, EMAIL, LINK, OPTIONAL_LINK } from '@community/contract/patterns'

/** The parts of a JSON Schema that are corrected. */
export interface JsonSchema {
  type?: string | string[]
  pattern?: string
  example?: unknown
  minimum?: number
  maximum?: number
  additionalProperties?: unknown
  allOf?: JsonSchema[]
  [keyword: string]: unknown
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

/** Applies a change to a schema and to those inside it. */
function visitSchemas(value: unknown, change: (schema: JsonSchema) => void): void {
  if (!isSchema(value)) return
  if (!Array.isArray(value)) change(value)
  for (const inner of Object.values(value)) visitSchemas(inner, change)
}

/** Removes keywords that would forbid new fields, because responses may gain some, and limits that do not hold. */
export const openSchema = (value: unknown): void =>
  visitSchemas(value, (schema) => {
    if (schema.additionalProperties === false) delete schema.additionalProperties
    // OpenAPI's discriminators are strings, and `requiresOTP` is a boolean: constants distinguish the schemas.
    delete schema['discriminator']
    // The largest safe integer is the limit of JavaScript, not of a count.
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  })

/** Removes the `allOf` of a text with a pattern of its own: the contract states that one for the whole field, so it implies those in `allOf`. */
export const mergePatterns = (value: unknown): void =>
  visitSchemas(value, (schema) => {
    const rules = schema.allOf ?? []
    const isImplied = rules.every((rule) => Object.keys(rule).every((key) => key === 'pattern' || key === 'format'))
    if (typeof schema.pattern !== 'string' || !isImplied) return
    for (const { format } of rules) if (format !== undefined) schema['format'] = format
    delete schema.allOf
  })

const EMAIL_TEXT =
  'An address in ASCII: an internationalised domain in Punycode (`xn--…`), no accents before the `@`. Stored in lower case'
const LINK_TEXT =
  'An http or https URL without user name and password. The pattern wants an internationalised host name in Punycode (`xn--…`) and no IPv6 address; the server accepts both, and stores the name in Punycode'
const PATTERN_TEXTS: Record<string, string> = {
  [EMAIL]: EMAIL_TEXT,
  [CONTACT_EMAIL]: `${EMAIL_TEXT}; without \`?\`, \`&\` and \`%\``,
  [LINK]: LINK_TEXT,
  [OPTIONAL_LINK]: LINK_TEXT,
}

/** Examples of profile links, which share a schema. */
const LINK_EXAMPLES: Record<string, string> = {
  github: 'https://github.com/sara-elamrani',
  instagram: 'https://www.instagram.com/sara.elamrani',
  portfolio: 'https://sara.example.com/',
}

/** Adds to the descriptions what the long patterns of e-mail addresses and links accept. */
export const describePatterns = (value: unknown): void =>
  visitSchemas(value, (schema) => {
    const text = PATTERN_TEXTS[schema.pattern ?? '']
    if (text) schema['description'] = [schema['description'], text].filter(Boolean).join('. ')
    for (const [name, property] of Object.entries(schema['properties'] ?? {}))
      if (LINK_EXAMPLES[name]) visitSchemas(property, (link) => link.example && (link.example = LINK_EXAMPLES[name]))
  })

/** Swagger UI fills in examples as values: one of an optional filter would empty the list. */
export const removeExamples = (value: unknown): void => visitSchemas(value, (schema) => void delete schema.example)
