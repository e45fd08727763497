import { useId, useMemo, useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { useT } from '../../lib/i18n.ts'
import { clockAhead, useServerAhead } from '../../lib/server-clock.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { applyServerErrors, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import { askPassword, confirm } from '../../lib/questions.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { tryConfirmed } from './admin-action.ts'
import { reloadListsSoon } from './admin-queries.ts'
import { ChallengeFields } from './challenge-fields.tsx'
import { BLANK_CHALLENGE, type ChallengeDraft, challengeForm, type DescribedChallenge } from './challenge-form.ts'
import { toastProblems } from './toast-problems.ts'

/** Asks whether, then for the password, and creates. Answers what was refused about the challenge itself; null when there is nothing to tell. */
function useCreate(onDone: () => void) {
  const t = useT()
  const create = trpc.admin.createChallenge.useMutation({ meta: { invalidates: [] } })
  return async (challenge: DescribedChallenge): Promise<unknown> => {
    const isSure = await confirm({
      title: t('Create Challenge'),
      message: t('“{title}” will be open to all teams at once.', { title: challenge.title }),
      confirmLabel: t('Create Challenge'),
    })
    if (!isSure) return null
    let refusal: unknown = null
    const answer = await askPassword({
      title: t('Confirm with your password'),
      message: t('Creating a challenge needs your admin password.'),
      confirmLabel: t('Create Challenge'),
      verify: async (password) => {
        refusal = await tryConfirmed(
          () => create.mutateAsync({ ...challenge, password }),
          t('Failed to create challenge'),
        )
      },
    })
    if (answer !== null && refusal === null) {
      toast.success(t('Challenge created successfully'))
      reloadListsSoon()
      onDone()
    }
    return refusal
  }
}

/** Describes a new challenge. */
export function CreateChallengeDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const formId = useId()
  const ahead = useServerAhead()
  const schema = useMemo(() => challengeForm(clockAhead(ahead)), [ahead])
  const form = useSchemaForm<ChallengeDraft, DescribedChallenge>(schema, BLANK_CHALLENGE)
  const [failure, setFailure] = useState<string | null>(null)
  const create = useCreate(onClose)
  const submit = useSubmit(
    form,
    async (challenge) => {
      setFailure(null)
      const refusal = await create(challenge)
      if (refusal === null) return
      if (applyServerErrors(form, refusal).length === 0) setFailure(failureOf(refusal).message)
    },
    (problems) => toastProblems(problems),
  )
  return (
    <Dialog
      open
      size="lg"
      title={t('Create Challenge')}
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button variant="primary" type="submit" form={formId}>
            {t('Create Challenge')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid grid-cols-1 gap-5">
        <ChallengeFields form={form} />
        {failure !== null && <Notice tone="bad" message={failure} />}
      </form>
    </Dialog>
  )
}
