import { type contract, faults, type Output, type Parsed, saying, whyCannotApply } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import type { MemberContext } from '../context.ts'
import { Refusal, refuse } from '../errors.ts'
import { insertSubmission } from '../submissions/store.ts'
import { viewSubmission } from '../submissions/views.ts'
import { lockJoiner } from '../teams/lock-joiner.ts'
import { lockTeam } from '../teams/store.ts'
import { fileAddress, keyOfAddress } from '../uploads/file-address.ts'
import { attachUpload } from '../uploads/store.ts'
import { countSubmissionIn, lockChallenge, readApplicationFacts } from './store.ts'

type Apply = typeof contract.challenges.applyTo

/**
 * The chef hands in work for a team. The challenge's lock makes all applications to it wait for one another: slots are
 * counted, members compared and the deadline judged under it, by the database's clock.
 */
export function applyToChallenge(ctx: MemberContext, input: Parsed<Apply>): Promise<Output<Apply>> {
  return inTransaction(ctx.db, async (tx) => {
    const chef = await lockJoiner(tx, ctx.user.id, 'share')
    const team = await lockTeam(tx, input.teamId)
    if (!team) throw new Refusal(faults.teamMissing)
    const challenge = await lockChallenge(tx, input.id)
    if (!challenge) throw new Refusal(faults.challengeMissing)

    const { now, taken, isMemberElsewhere } = await readApplicationFacts(tx, team.id, challenge.id)
    const applicant = { isChef: team.ownerId === chef.id, isTeamActive: team.isActive, taken }
    refuse(whyCannotApply(challenge, applicant, now))
    refuse(isMemberElsewhere ? appliedElsewhere(challenge.title) : null)

    const work = await workOf(tx, ctx, input)
    const submissionId = await insertSubmission(tx, {
      ...work,
      challengeId: challenge.id,
      teamId: team.id,
      submittedBy: chef.id,
      notes: input.applicationNotes,
    })
    await countSubmissionIn(tx, challenge.id)
    return { submission: await viewSubmission(tx, submissionId, ctx.user) }
  })
}

/** Names the challenge, not the person. */
const appliedElsewhere = (title: string) =>
  saying(faults.memberAlreadyApplied, `A member of this team has already applied to “${title}” with another team`)

/** A link as given, or the caller's own upload, taken now: what its row says counts, not what the caller says of it. */
async function workOf(tx: Tx, { deps, user }: MemberContext, { type, content }: Parsed<Apply>) {
  if (type === 'link') return { type, content, uploadId: null }
  const key = keyOfAddress(deps.env.appUrl, content)
  const upload = key === null ? undefined : await attachUpload(tx, key, user.id)
  if (!upload) throw new Refusal(faults.fileMissing)
  return { type, content: fileAddress(deps.env.appUrl, upload), uploadId: upload.id }
}
