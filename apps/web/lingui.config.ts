import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import type { ESTree } from 'vite'

/** The texts that an argument may be: `isOpen ? 'Open' : 'Closed'` is two. */
function textsOf(node: ESTree.Argument | undefined): string[] {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node?.type === 'TemplateLiteral') return node.quasis.flatMap(({ value }) => value.cooked ?? [])
  if (node?.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(textsOf)
  if (node?.type === 'LogicalExpression') return [node.left, node.right].flatMap(textsOf)
  return []
}

/** Whether a language's file holds the text. English holds only patterns: any other text is its own id. */
export const isInCatalog = (id: string, locale: string | null): boolean => locale !== 'en' || id.includes('{')

// Without origins, moving a source changes no catalog.
const po = formatter({ explicitIdAsDefault: true, origins: false })

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'fr', 'ar'],
  catalogs: [
    { path: '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'], exclude: ['**/*.test.*', '**/*.d.ts'] },
  ],
  orderBy: 'messageId',
  format: {
    ...po,
    serialize: (catalog, ctx) =>
      po.serialize(Object.fromEntries(Object.entries(catalog).filter(([id]) => isInCatalog(id, ctx.locale))), ctx),
  },
  extractors: [
    {
      match: (filename) => /\.tsx?$/.test(filename),
      async extract(filename, code, onMessageExtracted) {
        // Lingui loads this file by `require`, which knows no ES modules.
        const { parseSync, Visitor } = await import('vite')
        new Visitor({
          CallExpression({ callee, arguments: [first] }) {
            if (callee.type !== 'Identifier' || !['t', 'msg'].includes(callee.name)) return
            for (const id of textsOf(first)) onMessageExtracted({ id, origin: [filename, 1] })
          },
        }).visit(parseSync(filename, code).program)
      },
    },
  ],
})
