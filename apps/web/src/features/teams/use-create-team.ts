import type { CreateTeamForm, Team } from '@community/contract'
import { useState } from 'react'
import { emit } from '../../lib/events.ts'
import { failureOf } from '../../lib/failure.ts'
import { useT } from '../../lib/i18n.ts'
import { currentUser } from '../../lib/session.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import type { SchemaForm } from '../../lib/use-form.ts'
import { afterSignIn } from './after-sign-in.ts'
import { type CreateTeamParsed, payloadOf } from './create-team-form.ts'
import { creationFailure } from './creation-failure.ts'
import { useRoleIds } from './roles.ts'

/** The specification's pause before a team is created. */
const DELAY_MS = 1000
const pause = () => new Promise((resolve) => setTimeout(resolve, DELAY_MS))

export type TeamForm = SchemaForm<CreateTeamForm, CreateTeamParsed>

interface Creation {
  isBusy: boolean
  /** Translated words of the last failure. */
  failure: string | undefined
  create: (form: CreateTeamParsed) => Promise<void>
}

/**
 * Creates a team from the filled form. Visitors are asked to sign in, and find the form as they left it.
 * `onRefused` answers whether the refusal stands at its fields: then it is not said above them too.
 */
export function useCreateTeam(onCreated: (team: Team) => void, onRefused: (error: unknown) => boolean): Creation {
  const t = useT()
  const withIds = useRoleIds()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const { mutateAsync } = trpc.teams.create.useMutation()

  const create = async (form: CreateTeamParsed) => {
    if (!currentUser()) {
      afterSignIn({})
      emit('openSignInPrompt', { reason: t('Sign in to create your team. What you filled in is kept.') })
      return
    }
    setIsBusy(true)
    setFailure(undefined)
    try {
      await pause()
      const rolesNeeded = await withIds(form.rolesNeeded)
      const { team } = await mutateAsync(payloadOf({ ...form, rolesNeeded }))
      toast.success(t('Team Created!'), t('{team} is ready for its members.', { team: team.name }))
      onCreated(team)
    } catch (error) {
      const message = creationFailure(failureOf(error), t)
      toast.error(t('Team Creation Failed'), message)
      if (!onRefused(error)) setFailure(message)
    } finally {
      setIsBusy(false)
    }
  }

  return { isBusy, failure, create }
}
