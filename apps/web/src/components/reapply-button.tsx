import { appErrors, type Submission, whyCannotApply } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { openDialog } from '../lib/dialogs.ts'
import { failureOf } from '../lib/failure.ts'
import { useT } from '../lib/i18n.ts'
import { useServerNow } from '../lib/server-clock.ts'
import { useUser } from '../lib/session.ts'
import { trpc } from '../lib/trpc.ts'
import { Button } from '../ui/button.tsx'
import { ServerText } from '../ui/server-text.tsx'

/**
 * Opens the dialog that submits a rejected application again, for the team's chef and for the submitter; others get nothing. If the
 * challenge has closed or the team is inactive, a sentence that says so takes the button's place.
 */
export function ReapplyButton({ application }: { application: Submission }) {
  const user = useUser()
  const teams = useQuery(trpc.users.teams.queryOptions({ id: user?.id ?? '' }, { enabled: user !== null }))
  const { status, submittedBy, teamId } = application
  const team = teams.data?.teams.find(({ id }) => id === teamId.id)
  const isChef = team !== undefined && team.ownerId === user?.id
  if (status !== 'rejected' || !(isChef || submittedBy?.id === user?.id)) return null
  return <ReapplyAction application={application} isChef={isChef} isTeamActive={team?.isActive ?? true} />
}

interface ReapplyActionProps {
  application: Submission
  isChef: boolean
  isTeamActive: boolean
}

function ReapplyAction({ application, isChef, isTeamActive }: ReapplyActionProps) {
  const t = useT()
  const now = useServerNow()
  const { data, error, isPending } = useQuery(trpc.challenges.get.queryOptions({ id: application.challengeId.id }))
  if (isPending) return null
  // The server hides inactive challenges from members. After any other error the button is shown: the server checks again.
  const isHidden = error !== null && failureOf(error).code === appErrors.challengeMissing.code
  const challenge = data?.challenge ?? null
  // Assumes a free slot, because the team's other applications are not loaded here. If none is free, the server rejects the submission.
  const reason = isHidden
    ? appErrors.challengeInactive
    : challenge && whyCannotApply(challenge, { canSubmit: true, isTeamActive, usedSlots: 0 }, now)
  if (reason) {
    return (
      <p className="text-sm text-muted">
        <ServerText of={reason} />
      </p>
    )
  }
  return (
    <Button
      aria-haspopup="dialog"
      className="justify-self-start"
      onClick={() => openDialog({ name: 'reapply', application, isChef })}
    >
      <RotateCcw aria-hidden="true" />
      {t('Re-apply')}
    </Button>
  )
}
