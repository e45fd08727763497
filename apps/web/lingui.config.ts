import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import type { ESTree } from 'vite'

/** Every message that an argument can be: `isOpen ? 'Open' : 'Closed'` has two. */
function messagesIn(node: ESTree.Argument | undefined): string[] {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  // The parts of a template with values are in no catalog, so that it fails the build.
  if (node?.type === 'TemplateLiteral') return node.quasis.flatMap(({ value }) => value.cooked ?? [])
  if (node?.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(messagesIn)
  if (node?.type === 'LogicalExpression') return [node.left, node.right].flatMap(messagesIn)
  return []
}

/** Whether a catalog contains the message. English omits messages without placeholders: they equal their ids. */
export const isInCatalog = (id: string, locale: string | null): boolean => locale !== 'en' || id.includes('{')

// Without origins, moving code does not change the catalogs.
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
        // Lingui loads this file with `require()`; Vite is an ES module.
        const { parseSync, Visitor } = await import('vite')
        new Visitor({
          CallExpression({ callee, arguments: [first] }) {
            if (callee.type !== 'Identifier' || !['t', 'msg'].includes(callee.name)) return
            for (const id of messagesIn(first)) onMessageExtracted({ id, origin: [filename, 1] })
          },
        }).visit(parseSync(filename, code).program)
      },
    },
  ],
})
