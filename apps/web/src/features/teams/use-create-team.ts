import type { CreateTeamForm, Team } from '@community/contract'
import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { openDialog } from '../../lib/dialogs.ts'
import { failureOf } from '../../lib/failure.ts'
import { useT } from '../../lib/i18n.ts'
import { currentUser } from '../../lib/session.ts'
import { useSignUpDraft } from '../../lib/sign-up-draft.ts'
import { trpcClient } from '../../lib/trpc.ts'
import type { SchemaForm } from '../../lib/use-form.ts'
import { type CreateTeamParsed, toCreateInput } from './create-team-form.ts'
import { creationFailureText } from './creation-failure.ts'
import { useRoleIds } from './roles.ts'
import { AFTER_TEAM_CHANGE } from './after-team-change.ts'

/** The specification's pause before a team is created. */
const DELAY_MS = 1000
const pause = () => new Promise((resolve) => setTimeout(resolve, DELAY_MS))

export type TeamForm = SchemaForm<CreateTeamForm, CreateTeamParsed>

interface Creation {
  isBusy: boolean
  /** The translated error of the last attempt. */
  failure: string | undefined
  create: (form: CreateTeamParsed) => Promise<void>
}

/**
 * Creates a team from the form. Visitors are asked to sign in first; the form is kept.
 * `onRejected` returns whether it has shown the error at its field, so that it is not shown above the form too.
 */
export function useCreateTeam(onCreated: (team: Team) => void, onRejected: (error: unknown) => boolean): Creation {
  const t = useT()
  const toServerRoles = useRoleIds()
  const [failure, setFailure] = useState<string>()
  const delayedCreate = {
    mutate: async (form: CreateTeamParsed) => {
      await pause()
      const rolesNeeded = await toServerRoles(form.rolesNeeded)
      return trpcClient.teams.create.mutate(toCreateInput({ ...form, rolesNeeded }))
    },
  }
  const { run, isPending } = useAction(delayedCreate, {
    success: ({ team }) => ({
      title: t('Team Created!'),
      message: t('{team} is ready for its members.', { team: team.name }),
    }),
    failure: (reason) => ({ title: t('Team Creation Failed'), message: creationFailureText(reason, t) }),
    fields: (error) => {
      const isAtField = onRejected(error)
      setFailure(isAtField ? undefined : creationFailureText(failureOf(error), t))
      return isAtField
    },
    onSuccess: ({ team }) => onCreated(team),
    ...AFTER_TEAM_CHANGE,
  })

  const create = async (form: CreateTeamParsed) => {
    if (!currentUser()) {
      const { firstName: name, email } = form.userInfo
      useSignUpDraft.setState({ name, email })
      openDialog({
        name: 'signInPrompt',
        reason: t('Sign in to create your team. We kept what you entered.'),
        intent: { name: 'createTeam' },
      })
      return
    }
    setFailure(undefined)
    await run(form)
  }

  return { isBusy: isPending, failure, create }
}
