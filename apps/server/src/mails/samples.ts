import type { Language } from '@community/contract'
import { deviceValues } from './device-values.ts'
import { scopesIn } from './scope-names.ts'
import type { MailTemplate } from './texts.ts'

export const SAMPLE_APP_URL = 'https://community.example'

const DEVICE = { browser: 'Chrome', system: 'Android', address: '105.158.12.7', country: 'MA' }
const AT = new Date('2026-11-21T10:05:00Z')

/** Sample values of a template for tests and the development inbox. */
export function sampleValues(template: MailTemplate, language: Language): Record<string, string> {
  if (template.startsWith('code-')) return { code: '042137' }
  if (template === 'webhook-disabled') return { host: 'hooks.example.ma' }
  if (template === 'already-registered') return {}
  if (template === 'account-banned') return { reason: 'Spam in every team.', support: 'support@community.example' }
  const token = template === 'access-token-created' && {
    name: 'Weekly report',
    scopes: scopesIn(language, ['read', 'write']),
  }
  return { ...deviceValues(language, DEVICE, AT), ...token }
}
