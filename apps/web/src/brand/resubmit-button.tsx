import type { Submission } from '@community/contract'
import { RotateCcw } from 'lucide-react'
import { emit } from '../lib/events.ts'
import { useT } from '../lib/i18n.ts'
import { useUser } from '../lib/session.ts'
import { trpc } from '../lib/trpc.ts'
import { Button } from '../ui/button.tsx'

/** Opens the form in which a rejected submission goes in again, for the team's chef and for who submitted it. */
export function ResubmitButton({ application }: { application: Submission }) {
  const t = useT()
  const user = useUser()
  const teams = trpc.users.teams.useQuery({ id: user?.id ?? '' }, { enabled: user !== null })
  const { status, submittedBy, teamId } = application
  const isChef = teams.data?.teams.some((team) => team.id === teamId.id && team.ownerId === user?.id) ?? false
  if (status !== 'rejected' || !(isChef || submittedBy?.id === user?.id)) return null
  return (
    <Button
      aria-haspopup="dialog"
      className="justify-self-start"
      onClick={() => emit('openReapply', { application, isChef })}
    >
      <RotateCcw aria-hidden="true" />
      {t('Re-apply')}
    </Button>
  )
}
