import type { Challenge, ChallengeChange } from '@community/contract'
import { useId, useMemo, useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { useT } from '../../lib/i18n.ts'
import { clockAhead, useServerAhead } from '../../lib/server-clock.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { applyServerErrors, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import { askPassword } from '../../lib/questions.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorState, Loading, Skeleton } from '../../ui/states.tsx'
import { tryConfirmed } from './admin-action.ts'
import { reloadListsSoon } from './admin-queries.ts'
import { ChallengeFields } from './challenge-fields.tsx'
import {
  challengeChangeForm,
  type ChallengeDraft,
  changesOf,
  type DescribedChallenge,
  draftOf,
} from './challenge-form.ts'
import { toastProblems } from './toast-problems.ts'

interface EditChallengeDialogProps {
  challengeId: string
  onClose: () => void
}

/** Changes a challenge, once it is known as it stands now. */
export function EditChallengeDialog({ challengeId, onClose }: EditChallengeDialogProps) {
  const t = useT()
  // As it stands now, not as it was read before: nobody changes what they do not see.
  const [openedAt] = useState(Date.now)
  const query = trpc.challenges.get.useQuery(
    { id: challengeId },
    { staleTime: 0, gcTime: 0, refetchOnWindowFocus: false },
  )
  const challenge = query.dataUpdatedAt < openedAt ? undefined : query.data?.challenge
  const formId = useId()
  return (
    <Dialog
      open
      size="lg"
      title={t('Edit Challenge')}
      onOpenChange={onClose}
      footer={
        challenge && (
          <>
            <Button onClick={onClose}>{t('Cancel')}</Button>
            <Button variant="primary" type="submit" form={formId}>
              {t('Save changes')}
            </Button>
          </>
        )
      }
    >
      {challenge && <EditForm id={formId} challenge={challenge} onSaved={onClose} />}
      {!challenge && !query.isError && (
        <Loading>
          <Skeleton className="h-96" />
        </Loading>
      )}
      {!challenge && query.isError && (
        <ErrorState
          title={t('Failed to load challenges')}
          message={failureOf(query.error).message}
          onRetry={() => void query.refetch()}
          busy={query.isFetching}
        />
      )}
    </Dialog>
  )
}

/** Asks for the password and saves. Answers what was refused about the challenge itself; null when there is nothing to tell. */
function useSave(id: string, onDone: () => void) {
  const t = useT()
  const update = trpc.admin.updateChallenge.useMutation({ meta: { invalidates: [] } })
  return async (change: ChallengeChange): Promise<unknown> => {
    let refusal: unknown = null
    const answer = await askPassword({
      title: t('Confirm with your password'),
      message: t('Changing a challenge needs your admin password.'),
      confirmLabel: t('Save changes'),
      verify: async (password) => {
        refusal = await tryConfirmed(
          () => update.mutateAsync({ ...change, id, password }),
          t('Failed to update challenge'),
        )
      },
    })
    if (answer !== null && refusal === null) {
      toast.success(t('Challenge updated successfully'))
      reloadListsSoon()
      onDone()
    }
    return refusal
  }
}

interface EditFormProps {
  id: string
  challenge: Challenge
  onSaved: () => void
}

function EditForm({ id, challenge, onSaved }: EditFormProps) {
  const ahead = useServerAhead()
  // What the form began with, whatever is loaded meanwhile.
  const [original] = useState(challenge)
  const schema = useMemo(() => challengeChangeForm(clockAhead(ahead), original), [ahead, original])
  const form = useSchemaForm<ChallengeDraft, DescribedChallenge>(schema, draftOf(original))
  const [failure, setFailure] = useState<string | null>(null)
  const save = useSave(original.id, onSaved)
  const submit = useSubmit(
    form,
    async (described) => {
      setFailure(null)
      const refusal = await save(changesOf(schema.safeParse(draftOf(original)).data ?? {}, described))
      if (refusal === null) return
      if (applyServerErrors(form, refusal).length === 0) setFailure(failureOf(refusal).message)
    },
    (problems) => toastProblems(problems),
  )
  return (
    <form id={id} noValidate onSubmit={submit} className="grid grid-cols-1 gap-5">
      <ChallengeFields form={form} />
      {failure !== null && <Notice tone="bad" message={failure} />}
    </form>
  )
}
