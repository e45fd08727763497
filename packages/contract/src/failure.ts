import { z } from 'zod'
import { PROOF_PURPOSES } from './auth/proof-of-work.ts'

export const Failure = z
  .object({
    success: z.literal(false),
    message: z.string(),
    code: z.string().describe('A stable, machine-readable code, for example TEAM_FULL'),
    errors: z
      .array(z.object({ msg: z.string(), path: z.string() }))
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
