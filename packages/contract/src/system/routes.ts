import { z } from 'zod'
import { route } from '../route.ts'

/** What a page needs before anybody signs in; beyond the calls of the specification. */
export const SiteSettings = z
  .object({
    appName: z.string().describe('What the product is called'),
    teamCreationEnabled: z.boolean(),
    externalSignIn: z.boolean(),
    serverTime: z.string().describe('The server’s clock: deadlines are counted down from it'),
    links: z
      .object({
        chatGroup: z.string(),
        chatServer: z.string(),
        supportEmail: z.string(),
        social: z.array(z.string()).describe('The community’s own pages elsewhere; may be empty'),
      })
      .describe('Where the community meets'),
  })
  .meta({ id: 'SiteSettings' })

export const system = {
  settings: route('GET /settings', {
    access: 'visitor',
    summary: 'Public settings: is team creation on, is external sign-in offered, what time is it',
    output: z.object({ settings: SiteSettings }),
  }),
}
