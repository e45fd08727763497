import { z } from 'zod'
import { PROOF_PURPOSES } from './auth/proof-of-work.ts'
import { Count } from './primitives.ts'

/** The key and the values by which a message is translated. */
const Translatable = {
  template: z
    .string()
    .optional()
    .describe('The message with placeholders for `params`, for example “Must be at most {n}”'),
  params: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe('The values of the rule or of the placeholders, for example `{ "n": 5 }`'),
}

export const Failure = z
  .object({
    success: z.literal(false),
    message: z.string().describe('A sentence in the language of `Accept-Language`, by default English'),
    ...Translatable,
    code: z.string().describe('A stable, machine-readable code, for example TEAM_FULL'),
    errors: z
      .array(
        z.object({
          msg: z.string(),
          code: z
            .string()
            .optional()
            .describe('The rule, such as `TOO_SHORT` with `params.n`, or the code of the failure'),
          ...Translatable,
          path: z.string(),
        }),
      )
      .optional()
      .describe('Messages by input field'),
    cooldown: Count.optional().describe('Seconds until the request may be repeated'),
    expired: z.literal(true).optional(),
    invalid: z.literal(true).optional(),
    requestId: z
      .string()
      .optional()
      .describe('The same as the header `X-Request-Id`: name it when you report a problem'),
    proofOfWork: z
      .enum(PROOF_PURPOSES)
      .optional()
      .describe('Solve a challenge for this purpose and repeat the request: see GET /auth/proof-of-work'),
  })
  .meta({ id: 'Failure', description: 'Any error response' })
export type Failure = z.output<typeof Failure>
