import { oldestMember, type Team } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useAction } from '../../lib/action.ts'
import { leaveSession } from '../../lib/leave-session.ts'
import { type Translate, useT } from '../../lib/i18n.ts'
import type { CurrentUser } from '../../lib/session.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { QueryError } from '../../ui/query-error.tsx'
import { Skeletons } from '../../ui/states.tsx'

/** What happens to one team when the account is deleted. */
function consequenceOf(team: Team, userId: string, t: Translate): string {
  const others = team.members.filter((member) => member.userId !== userId)
  if (others.length === 0) return t('{team}: will have no members and become inactive', { team: team.name })
  if (team.ownerId !== userId) return t('{team}: you leave the team', { team: team.name })
  return t('{team}: you leave the team and {heir} becomes chef', {
    team: team.name,
    heir: oldestMember(others)?.name ?? '',
  })
}

/** Deletes the account: shows the consequences and asks for the password. */
export function DeleteAccount({ user, onDeleted }: { user: CurrentUser; onDeleted: () => void }) {
  const t = useT()
  const teams = useQuery(trpc.users.teams.queryOptions({ id: user.id }))
  const remove = useAction(trpcClient.users.remove, {
    input: (id: string, { password }) => ({ id, password }),
    password: {
      title: t('Delete your account?'),
      message: t('This cannot be undone. Enter your password to continue.'),
      confirmLabel: t('Delete account'),
      danger: true,
    },
    success: t('Your account was deleted'),
    onSuccess: () => {
      onDeleted()
      leaveSession()
    },
    reloads: true,
  })
  return (
    <section aria-labelledby="delete-account" className="grid gap-4 border-t border-line pt-6">
      <h3 id="delete-account" className="flex items-center gap-2 text-lg font-semibold text-bad">
        <TriangleAlert aria-hidden="true" className="size-5" />
        {t('Delete account')}
      </h3>
      {teams.isPending && <Skeletons className="h-24" />}
      <QueryError query={teams} title={t('Your teams could not be loaded')} />
      {teams.data && (
        <>
          <ul className="list-disc ps-5 text-ink-2">
            <li>{t('Your name, picture, contact details and sessions are deleted.')}</li>
            <li>{t('Your submissions stay with your teams and keep their points, without your name.')}</li>
            <li>{t('Submitted files, the audit log and the blacklist are kept.')}</li>
            {teams.data.teams.map((team) => (
              <li key={team.id}>{consequenceOf(team, user.id, t)}</li>
            ))}
          </ul>
          {user.hasPassword ? (
            <Button variant="danger-outline" className="justify-self-start" onClick={() => void remove.run(user.id)}>
              {t('Delete account')}
            </Button>
          ) : (
            <p className="text-ink-2">{t('Set a password first. You need it to delete your account.')}</p>
          )}
        </>
      )}
    </section>
  )
}
