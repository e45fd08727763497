import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import type { ESTree } from 'vite'

/** Every message that an argument can be: `isOpen ? 'Open' : 'Closed'` has two. */
function messagesIn(node: ESTree.Argument | undefined): string[] {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  // A template with values cannot be translated. Its parts are in no catalog, which fails the build.
  if (node?.type === 'TemplateLiteral') return node.quasis.flatMap(({ value }) => value.cooked ?? [])
  if (node?.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(messagesIn)
  if (node?.type === 'LogicalExpression') return [node.left, node.right].flatMap(messagesIn)
  return []
}

/** Which argument of a function is a message. */
const MESSAGE_ARGUMENT: Record<string, number> = { t: 0, msg: 0, defineError: 2 }

/** Whether a catalog contains the message. English has plurals and selects only: lib/i18n.ts fills the rest from their ids. */
export const isInCatalog = (id: string, locale: string | null): boolean => locale !== 'en' || /\{\w+,/.test(id)

// Without origins, moving code does not change the catalogs.
const po = formatter({ explicitIdAsDefault: true, origins: false })

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'fr', 'ar'],
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      // The contract's error catalogue maps each code to its message.
      include: ['<rootDir>/src', '<rootDir>/../../packages/contract/src/errors'],
      exclude: ['**/*.test.*', '**/*.d.ts'],
    },
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
          CallExpression({ callee, arguments: given }) {
            const index = callee.type === 'Identifier' ? MESSAGE_ARGUMENT[callee.name] : undefined
            if (index === undefined) return
            for (const id of messagesIn(given[index])) onMessageExtracted({ id, origin: [filename, 1] })
          },
        }).visit(parseSync(filename, code).program)
      },
    },
  ],
})
