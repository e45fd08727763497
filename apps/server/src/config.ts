import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Email, PersonName } from '@community/contract'
import type { Pooler } from '@community/db'
import { checkEnvironment, hasBlocklist, isExposed, type Problems } from './config/checks.ts'
import { FORMER_NAMES } from './config/former-names.ts'
import { type PushSettings, pushSettings } from './config/push-settings.ts'
import { type S3Settings, s3Settings } from './config/s3-settings.ts'
import { Variables } from './config/variables.ts'
import { DEFAULT_ADMIN } from './start/published-values.ts'

/** Invalid settings: the message has a line for each, with the expected value and no secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export interface OauthSettings {
  issuer: string
  clientId: string
  clientSecret: string
}

/** When procedures that mail strangers require a proof of work. */
interface ProofOfWorkSettings {
  mode: 'off' | 'auto' | 'always'
  hourlyPerIp: number
  hourlyTotal: number
}

export interface Config {
  nodeEnv: 'development' | 'production' | 'test'
  /** Whether the process may start the embedded database, file storage, mail catcher and identity provider. */
  embedded: boolean
  host: string
  port: number
  /** The port of `/metrics`; undefined disables it. */
  metricsPort?: number | undefined
  /** The port of the mail catcher's inbox, unless it is in use. */
  inboxPort: number
  /** Seconds that the server keeps accepting requests after SIGTERM. */
  drainSeconds: number
  /** The product's display name. */
  appName: string
  /** The public URL, without a trailing slash. */
  appUrl: string
  /** Origins whose pages may call everything under `/api` and `/trpc`; `*` for all. */
  corsOrigins: string[]
  /** An absolute path. */
  dataDir: string
  databaseUrl?: string | undefined
  /** For what needs a session: migrations, LISTEN and imports; `databaseUrl` if unset. */
  databaseDirectUrl?: string | undefined
  /** A standby, for reads that may be seconds old. */
  databaseReplicaUrl?: string | undefined
  /** Between the server and `databaseUrl`. */
  databasePooler?: Pooler | undefined
  s3?: S3Settings | undefined
  smtpUrl?: string | undefined
  mailFrom: string
  oauth?: OauthSettings | undefined
  admin?: { email: string; password: string; name: string; isDefault: boolean } | undefined
  /** Whether others can reach the server: published secrets and passwords are rejected then. */
  isExposed: boolean
  /** Whether common passwords are rejected. */
  passwordBlocklist: boolean
  signInOtp: 'member-choice' | 'admins' | 'everyone'
  /** The proxies whose X-Forwarded-For is trusted; false for none. */
  trustProxy: false | string[]
  logLevel: string
  /** Where traces are sent; undefined for none. */
  otlpEndpoint?: string | undefined
  /** Keys HMACs and encryption. When unset, outside production only, one is generated and stored in `dataDir`. */
  secret?: string | undefined
  proofOfWork: ProofOfWorkSettings
  /** Units of READ_COST that reads may cost in 20 seconds, per IP address and per signed-in user. */
  readUnits: { perIp: number; perUser: number }
  /** Concurrent requests per IP address when anonymous, and per signed-in user. */
  concurrentRequests: { perIp: number; perUser: number }
  webhooks: {
    /** Whether they may be sent to private addresses, and by http. */
    isPrivateAllowed: boolean
  }
  /** The keys that sign push messages; undefined turns them off. */
  push?: PushSettings | undefined
  /** Links of the contact section and the footer. The chats are empty where the community has none. */
  links: { chatGroup: string; chatServer: string; supportEmail: string; social: string[] }
  migrationsDir: string
  webDir: string
}

// Works from `src` and from the bundle in `dist`: both are directories of apps/server.
const resolveHere = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

function throwProblems(problems: Problems): never {
  const lines = [...problems].map(([name, problem]) => `  ${name} ${problem}`)
  throw new ConfigError(`The settings are not right:\n${lines.join('\n')}\nAll settings are explained in .env.example.`)
}

/** A display name as a quoted string of RFC 5322. */
const quoteDisplayName = (name: string) => `"${name.replace(/["\\]/g, '\\$&')}"`

function firstAdmin(values: Variables, isDefaultAllowed: boolean): Config['admin'] {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, ADMIN_NAME: name = DEFAULT_ADMIN.name } = values
  if (email !== undefined && password !== undefined)
    return { email: Email.parse(email), password, name: PersonName.parse(name), isDefault: false }
  return isDefaultAllowed ? { ...DEFAULT_ADMIN, name, isDefault: true } : undefined
}

/** The port, or 0 for any free one. In production that is the default, so that other programs on the machine do not find the mails. */
function inboxPort({ NODE_ENV, PORT, METRICS_PORT, INBOX_PORT }: Variables): number {
  const wanted = INBOX_PORT ?? (NODE_ENV === 'production' ? 0 : 8025)
  return wanted === PORT || wanted === METRICS_PORT ? 0 : wanted
}

/** Parses and checks the environment. Empty variables count as unset. Throws `ConfigError` listing every problem. */
export function readConfig(source: NodeJS.ProcessEnv): Config {
  const env: Record<string, string> = {}
  for (const [name, value = ''] of Object.entries(source)) if (value.trim() !== '') env[name] = value
  for (const [former, name] of Object.entries(FORMER_NAMES)) {
    const value = env[former]
    if (value !== undefined) env[name] ??= value
  }
  const result = Variables.safeParse(env)
  const problems: Problems = new Map()
  for (const issue of result.error?.issues ?? []) {
    const name = String(issue.path[0])
    if (!problems.has(name)) problems.set(name, issue.message)
  }
  checkEnvironment(env, problems)
  if (!result.success || problems.size > 0) throwProblems(problems)
  const values = result.data

  const appUrl = values.APP_URL ?? `http://localhost:${values.PORT}`
  /** A link to show while developing. In production it would lead everybody to a company's home page. */
  const placeholder = (url: string) => (values.NODE_ENV === 'production' ? '' : url)
  const supportEmail = values.SUPPORT_EMAIL ?? `support@${new URL(appUrl).hostname}`
  return {
    nodeEnv: values.NODE_ENV,
    embedded: values.NODE_ENV !== 'production' || values.EMBEDDED,
    host: values.HOST,
    port: values.PORT,
    metricsPort: values.METRICS_PORT,
    inboxPort: inboxPort(values),
    drainSeconds: values.DRAIN_SECONDS,
    appName: values.APP_NAME,
    appUrl,
    corsOrigins: values.CORS_ORIGINS ?? [],
    dataDir: path.resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL,
    databasePooler: values.DATABASE_POOLER,
    s3: s3Settings(values),
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? `${quoteDisplayName(values.APP_NAME)} <no-reply@${new URL(appUrl).hostname}>`,
    oauth:
      values.OAUTH_CLIENT_ID === undefined
        ? undefined
        : {
            issuer: values.OAUTH_ISSUER,
            clientId: values.OAUTH_CLIENT_ID,
            clientSecret: values.OAUTH_CLIENT_SECRET ?? '',
          },
    admin: firstAdmin(values, !isExposed(env)),
    isExposed: isExposed(env),
    passwordBlocklist: hasBlocklist(env),
    signInOtp: values.SIGN_IN_OTP,
    trustProxy: values.TRUST_PROXY ?? false,
    logLevel: values.LOG_LEVEL ?? (values.NODE_ENV === 'production' ? 'info' : 'warn'),
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    secret: values.APP_SECRET,
    proofOfWork: {
      mode: values.PROOF_OF_WORK ?? (values.NODE_ENV === 'production' ? 'auto' : 'off'),
      hourlyPerIp: values.PROOF_OF_WORK_HOURLY_PER_IP,
      hourlyTotal: values.PROOF_OF_WORK_HOURLY_TOTAL,
    },
    readUnits: { perIp: values.READ_UNITS_PER_IP, perUser: values.READ_UNITS_PER_USER },
    concurrentRequests: { perIp: values.CONCURRENT_REQUESTS_PER_IP, perUser: values.CONCURRENT_REQUESTS_PER_USER },
    webhooks: { isPrivateAllowed: values.WEBHOOKS_TO_PRIVATE_ADDRESSES },
    push: pushSettings(values, supportEmail),
    links: {
      chatGroup: values.CHAT_GROUP_URL ?? placeholder('https://chat.whatsapp.com/'),
      chatServer: values.CHAT_SERVER_URL ?? placeholder('https://discord.com/'),
      supportEmail,
      social: values.SOCIAL_LINKS ?? [placeholder('https://github.com/')].filter(Boolean),
    },
    migrationsDir: path.resolve(values.MIGRATIONS_DIR ?? resolveHere('../../../drizzle/migrations')),
    webDir: path.resolve(values.WEB_DIR ?? resolveHere('../../web/dist')),
  }
}
