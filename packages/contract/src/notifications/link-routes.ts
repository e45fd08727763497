import { z } from 'zod'
import { preferencesLinkInvalid } from '../error-catalogue.ts'
import { LINK_TOKEN_LENGTH_MAX } from '../limits.ts'
import { route } from '../route.ts'
import { PreferencesInput, PreferencesOutput } from './schemas.ts'

const token = z
  .string('The link is incomplete')
  .min(1, 'The link is incomplete')
  .max(LINK_TOKEN_LENGTH_MAX, 'The link is incomplete')
  .describe('From the link in an email; valid for 30 days, until the account’s address changes')
  .meta({ example: 'kN3v0c3yJt1Qw' })

const LinkedPreferencesOutput = PreferencesOutput.extend({
  email: z.string().describe('The account’s address, most of its name hidden'),
})

/** Preferences by the link in a mail, without sign-in; not in the specification. */
export const linkRoutes = {
  /** Not a GET, because URLs are logged. */
  linkedPreferences: route('POST /notifications/preferences/link', {
    access: 'visitor',
    ignoresToken: true,
    beyondSpecification: true,
    summary: 'The preferences of the account that a link in an email belongs to',
    input: z.object({ token }),
    output: LinkedPreferencesOutput,
    errors: { preferencesLinkInvalid },
  }),
  setLinkedPreferences: route('PUT /notifications/preferences/link', {
    access: 'visitor',
    ignoresToken: true,
    beyondSpecification: true,
    summary: 'Choose where to get notifications, by the link in an email',
    description: 'Applies to notifications from now on.',
    input: PreferencesInput.extend({ token }),
    output: LinkedPreferencesOutput,
    successMessage: 'Preferences saved',
    errors: { preferencesLinkInvalid },
  }),
}
