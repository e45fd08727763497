import type { Deps } from '../context.ts'
import { reasonOf } from './setting-errors.ts'

/** The codes of a mail server's refusal: its words may repeat the account. */
function mailReasonOf(error: unknown): string {
  const { code, responseCode } = (error ?? {}) as { code?: string; responseCode?: number }
  return [code, responseCode].filter((part) => part !== undefined).join(' ') || 'no answer'
}

/**
 * Looks at the services that the product does without for a while, and names the setting of each that does not answer. Nobody
 * waits for it: mails are queued and tried again, and so is external sign-in.
 */
export async function warnAboutServices({
  config,
  mailer,
  identityProvider,
  log,
}: Pick<Deps, 'config' | 'mailer' | 'identityProvider' | 'log'>): Promise<void> {
  const mail = config.smtpUrl === undefined ? undefined : new URL(config.smtpUrl).host
  await Promise.all([
    mail !== undefined &&
      mailer.check().catch((error: unknown) => {
        log.warn(
          `SMTP_URL: the mail server at ${mail} cannot be used (${mailReasonOf(error)}): start it, or correct the address, the user or the password. Mails wait and are tried again.`,
        )
      }),
    config.oauth !== undefined &&
      identityProvider?.check().catch((error: unknown) => {
        log.warn(
          `OAUTH_ISSUER: the identity provider at ${config.oauth?.issuer} cannot be used (${reasonOf(error)}): it must answer at ${config.oauth?.issuer.replace(/\/$/, '')}/.well-known/openid-configuration. Each sign-in asks it again.`,
        )
      }),
  ])
}
