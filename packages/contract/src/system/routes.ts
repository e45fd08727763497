import { z } from 'zod'
import { route } from '../route.ts'
import { Language } from '../users/schemas.ts'

/** Settings that a page needs before sign-in; not in the specification. */
export const SiteSettings = z
  .object({
    appName: z.string().describe('The product’s name'),
    teamCreationEnabled: z.boolean(),
    externalSignIn: z.boolean(),
    serverTime: z.string().describe('The server’s clock, which countdowns start from'),
    links: z
      .object({
        chatGroup: z.string().describe('The WhatsApp group; empty if there is none'),
        chatServer: z.string().describe('The Discord server; empty if there is none'),
        supportEmail: z.string(),
        social: z.array(z.string()).describe('The community’s social media pages; may be empty'),
      })
      .describe('The community’s links'),
  })
  .meta({ id: 'SiteSettings' })

export const PAGES = ['privacy', 'terms'] as const
export const PageName = z.enum(PAGES).describe('Which page')
export type PageName = z.output<typeof PageName>

export const system = {
  page: route('GET /pages/{page}', {
    access: 'visitor',
    beyondSpecification: true,
    cached: 'by role',
    summary: 'The privacy or terms page',
    description: 'The administrators’ text in that language, or the default one.',
    input: z.object({ page: PageName, language: Language.default('en').describe('The language of the text') }),
    output: z.object({
      page: z.object({
        markdown: z.string().describe('Markdown without HTML'),
        isDefault: z.boolean().describe('Whether the administrators have written no text in this language'),
      }),
    }),
  }),
  settings: route('GET /settings', {
    access: 'visitor',
    beyondSpecification: true,
    summary: 'Public settings, the features that are switched on, and the server’s time',
    description:
      'Anyone may read it before signing in. Countdowns should start from `serverTime`, not from the clock of the device.',
    output: z.object({ settings: SiteSettings }),
  }),
}
