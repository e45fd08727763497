import { faults } from '@community/contract'
import type { Tx } from '@community/db'
import { lockChallenge } from '../challenges/store.ts'
import { Refusal } from '../errors.ts'
import { lockTeam } from '../teams/store.ts'
import { findPlace, lockSubmission } from './store.ts'

/** A submission with its team and challenge, locked in the order in which everybody takes them. */
export async function lockWithPlace(tx: Tx, submissionId: string) {
  const place = await findPlace(tx, submissionId)
  const team = place && (await lockTeam(tx, place.teamId))
  const challenge = place && (await lockChallenge(tx, place.challengeId))
  const submission = place && (await lockSubmission(tx, submissionId))
  if (!team || !challenge || !submission) throw new Refusal(faults.submissionMissing)
  return { team, challenge, submission }
}
