import { z } from 'zod'
import { route } from '../route.ts'

/** What a page needs before sign-in; not in the specification. */
export const SiteSettings = z
  .object({
    appName: z.string().describe('The product’s name'),
    teamCreationEnabled: z.boolean(),
    externalSignIn: z.boolean(),
    serverTime: z.string().describe('The server’s clock, which countdowns start from'),
    links: z
      .object({
        chatGroup: z.string(),
        chatServer: z.string(),
        supportEmail: z.string(),
        social: z.array(z.string()).describe('The community’s social media pages; may be empty'),
      })
      .describe('The community’s links'),
  })
  .meta({ id: 'SiteSettings' })

export const system = {
  settings: route('GET /settings', {
    access: 'visitor',
    summary: 'Public settings, the features that are switched on, and the server’s time',
    description:
      'Anyone may read it before signing in. Countdowns should start from `serverTime`, not from the clock of the device.',
    output: z.object({ settings: SiteSettings }),
  }),
}
