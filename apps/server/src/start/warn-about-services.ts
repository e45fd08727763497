import type { Deps } from '../context.ts'
import { describeError } from './setting-errors.ts'

/** Only the codes of a mail server's error, because its message may repeat the credentials. */
function describeMailError(error: unknown): string {
  const { code, responseCode } = (error ?? {}) as { code?: string; responseCode?: number }
  return [code, responseCode].filter((part) => part !== undefined).join(' ') || 'no answer'
}

/**
 * Checks mail server and identity provider and logs a warning with the setting of each that fails. Does not delay the start: mails are
 * queued and retried, and each external sign-in tries again.
 */
export async function warnAboutServices({
  config,
  mailer,
  identityProvider,
  log,
}: Pick<Deps, 'config' | 'mailer' | 'identityProvider' | 'log'>): Promise<void> {
  const mailServer = config.smtpUrl === undefined ? undefined : new URL(config.smtpUrl).host
  await Promise.all([
    mailServer !== undefined &&
      mailer.check().catch((error: unknown) => {
        log.warn(
          `SMTP_URL: the mail server at ${mailServer} cannot be used (${describeMailError(error)}): start it, or correct the address, the user or the password. Mails stay queued and are retried.`,
        )
      }),
    config.oauth !== undefined &&
      identityProvider?.check().catch((error: unknown) => {
        log.warn(
          `OAUTH_ISSUER: the identity provider at ${config.oauth?.issuer} cannot be used (${describeError(error)}): it must answer at ${config.oauth?.issuer.replace(/\/$/, '')}/.well-known/openid-configuration. Each sign-in tries again.`,
        )
      }),
  ])
}
