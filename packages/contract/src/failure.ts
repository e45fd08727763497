import { z } from 'zod'

export const Failure = z
  .object({
    success: z.literal(false),
    message: z.string(),
    code: z.string().describe('A stable machine word, for example TEAM_FULL'),
    errors: z
      .array(z.object({ msg: z.string(), path: z.string() }))
      .optional()
      .describe('What is wrong with which field'),
    cooldown: z.int().optional().describe('Seconds until the call may be repeated'),
    expired: z.literal(true).optional(),
    invalid: z.literal(true).optional(),
  })
  .meta({ id: 'Failure', description: 'Any answer that is not a success' })
export type Failure = z.output<typeof Failure>
