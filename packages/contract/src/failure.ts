import { z } from 'zod'
import { PROOF_PURPOSES } from './auth/proof-of-work.ts'

/** What a message with values in it is translated by. */
const Translatable = {
  template: z
    .string()
    .optional()
    .describe('The message with placeholders, for example “Must be at most {n}”. Only with `params`.'),
  params: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe('The values of the placeholders, for example `{ "n": 5 }`'),
}

export const Failure = z
  .object({
    success: z.literal(false),
    message: z.string().describe('An English sentence'),
    ...Translatable,
    code: z.string().describe('A stable, machine-readable code, for example TEAM_FULL'),
    errors: z
      .array(z.object({ msg: z.string(), ...Translatable, path: z.string() }))
      .optional()
      .describe('Messages by input field'),
    cooldown: z.int().optional().describe('Seconds until the request may be repeated'),
    expired: z.literal(true).optional(),
    invalid: z.literal(true).optional(),
    proofOfWork: z
      .enum(PROOF_PURPOSES)
      .optional()
      .describe('Solve a challenge for this purpose and repeat the request: see GET /auth/proof-of-work'),
  })
  .meta({ id: 'Failure', description: 'Any error response' })
export type Failure = z.output<typeof Failure>
