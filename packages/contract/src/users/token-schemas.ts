import { z } from 'zod'
import { ADMIN_TOKEN_DAYS_MAX, MINUTE, RECENT_SIGN_IN_MAX_AGE, TOKEN_DAYS, TOKEN_NAME_LENGTH } from '../limits.ts'
import { lineOf } from '../patterns.ts'
import { CurrentPassword, ids, line, Timestamp } from '../primitives.ts'
import type { Route } from '../route.ts'
import { limitText } from '../registered-messages.ts'

export const TOKEN_SCOPES = ['read', 'write', 'admin'] as const
export const TokenScope = z.enum(TOKEN_SCOPES)
export type TokenScope = z.output<typeof TokenScope>

/** The scope that a personal access token needs for a procedure. Every token may read. */
export const scopeOf = ({ access, method }: Pick<Route, 'access' | 'method'>): TokenScope =>
  access === 'admin' ? 'admin' : method === 'GET' ? 'read' : 'write'

/** A personal access token, without its secret. */
export const PersonalToken = z
  .object({
    ...ids,
    name: z.string(),
    scopes: z.array(TokenScope),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable().describe('Null if never used; accurate to a minute'),
    expiresAt: Timestamp.nullable().describe('Null if it does not expire'),
  })
  .meta({ id: 'PersonalToken' })
export type PersonalToken = z.output<typeof PersonalToken>

const REQUIRED = 'This field is required'

export const CreateTokenInput = z
  .object({
    name: line(REQUIRED)
      .min(TOKEN_NAME_LENGTH.min, REQUIRED)
      .max(TOKEN_NAME_LENGTH.max)
      .meta({
        pattern: lineOf(TOKEN_NAME_LENGTH.min),
        example: 'Weekly report',
        description: 'Unique among your tokens, regardless of case',
      }),
    scopes: z
      .array(TokenScope)
      .min(1, 'Choose at least one scope')
      .max(TOKEN_SCOPES.length, 'Choose each scope only once')
      .refine((scopes) => new Set(scopes).size === scopes.length, 'Choose each scope only once')
      .meta({ uniqueItems: true })
      .describe(
        '`read`: what the account may read. `write`: also everything that it may change. `admin`: also administration, without a password; for administrators only',
      ),
    expiresInDays: z
      .literal(TOKEN_DAYS)
      .nullable()
      .default(30)
      .describe(`Null never expires. With the scope \`admin\` at most ${ADMIN_TOKEN_DAYS_MAX}`),
    currentPassword: CurrentPassword.optional().describe(
      `Required, except for an account without a password that signed in within the last ${RECENT_SIGN_IN_MAX_AGE / MINUTE} minutes`,
    ),
  })
  .refine(
    ({ scopes, expiresInDays }) =>
      !scopes.includes('admin') || (expiresInDays !== null && expiresInDays <= ADMIN_TOKEN_DAYS_MAX),
    {
      path: ['expiresInDays'],
      error: limitText('A token with the Administration scope can last at most {n} days', ADMIN_TOKEN_DAYS_MAX),
    },
  )
