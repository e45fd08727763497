import type { Submission } from '@community/contract'
import { RotateCcw } from 'lucide-react'
import { useT } from '../lib/i18n.ts'
import { useUser } from '../lib/session.ts'
import { toast } from '../lib/toasts.ts'
import { trpc } from '../lib/trpc.ts'
import { confirm } from '../ui/ask.ts'
import { Button } from '../ui/button.tsx'

/** Puts a rejected submission back before the judges, for the team's chef and for who submitted it. */
export function ResubmitButton({ application }: { application: Submission }) {
  const t = useT()
  const user = useUser()
  const teams = trpc.users.teams.useQuery({ id: user?.id ?? '' }, { enabled: user !== null })
  const { mutateAsync } = trpc.submissions.setStatus.useMutation({
    meta: { invalidates: ['challenges', 'submissions'] },
  })
  const { id, status, submittedBy, teamId, challengeId, feedback } = application
  const isChef = teams.data?.teams.some((team) => team.id === teamId.id && team.ownerId === user?.id) ?? false
  if (status !== 'rejected' || !(isChef || submittedBy?.id === user?.id)) return null
  const ask = async () => {
    const question = t('The same work goes back to the judges of {challenge}.', { challenge: challengeId.title })
    const told = feedback ? `${question}\n\n${t('Feedback')}: ${feedback}` : question
    if (!(await confirm({ title: t('Submit again?'), message: told, confirmLabel: t('Re-apply') }))) return
    try {
      await mutateAsync({ id, status: 'pending' })
      toast.success(t('Reapplication'), t('Submission status updated to pending. Waiting for admin review.'))
    } catch (error) {
      toast.failure(error, t('Error'), t('Failed to update submission status'))
    }
  }
  return (
    <Button size="sm" className="justify-self-start" onClick={() => void ask()}>
      <RotateCcw aria-hidden="true" />
      {t('Re-apply')}
    </Button>
  )
}
