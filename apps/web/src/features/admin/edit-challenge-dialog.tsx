import type { Challenge } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { AFTER_ADMIN_ACTION } from '../../components/after-admin-action.ts'
import { useAction } from '../../lib/action.ts'
import { findChanges } from '../../lib/form-draft.ts'
import { useT } from '../../lib/i18n.ts'
import { clockAhead, useServerAhead } from '../../lib/server-clock.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { fieldErrorsOf, useDraftForm, useSubmit } from '../../lib/use-form.ts'
import { AnswerButtons } from '../../ui/answer-buttons.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DraftNotice } from '../../ui/draft-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryError } from '../../ui/query-error.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { ChallengeFields } from './challenge-fields.tsx'
import { challengeChangeSchema, type ChallengeDraft, type ParsedChallenge, toDraft } from './challenge-form.ts'
import { formErrorToast, toastTitleOf } from './form-error-toast.ts'

interface EditChallengeDialogProps {
  challengeId: string
  onClose: () => void
}

/** Edits a challenge, after loading its current state. */
export function EditChallengeDialog({ challengeId, onClose }: EditChallengeDialogProps) {
  const t = useT()
  // Not from the cache, so that the edit starts from the current state.
  const [openedAt] = useState(Date.now)
  const query = useQuery(
    trpc.challenges.get.queryOptions({ id: challengeId }, { staleTime: 0, gcTime: 0, refetchOnWindowFocus: false }),
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
        challenge && <AnswerButtons question={{ confirmLabel: t('Save changes') }} form={formId} onCancel={onClose} />
      }
    >
      {challenge && <EditForm id={formId} challenge={challenge} onSaved={onClose} />}
      {!challenge && !query.isError && <Skeletons className="h-96" />}
      {/* Data from before the dialog opened is not shown, so it does not hide the error either. */}
      <QueryError query={{ ...query, data: challenge }} title={t('Failed to load challenges')} />
    </Dialog>
  )
}

interface EditFormProps {
  id: string
  challenge: Challenge
  onSaved: () => void
}

function EditForm({ id, challenge, onSaved }: EditFormProps) {
  const t = useT()
  const ahead = useServerAhead()
  // The form's initial values, whatever is loaded later.
  const [original] = useState(challenge)
  const schema = useMemo(() => challengeChangeSchema(clockAhead(ahead), original), [ahead, original])
  const { form, draft } = useDraftForm<ChallengeDraft, ParsedChallenge>(
    schema,
    toDraft(original),
    `challenge ${original.id}`,
  )
  const save = useAction(trpcClient.admin.updateChallenge, {
    input: (edited: ParsedChallenge, { password }) => ({
      ...findChanges(schema.safeParse(toDraft(original)).data ?? {}, edited),
      id: original.id,
      password,
    }),
    password: {
      title: t('Confirm with your password'),
      message: t('Enter your admin password to save the changes.'),
      confirmLabel: t('Save changes'),
    },
    success: t('Challenge updated successfully'),
    failure: ({ code }) => ({ title: toastTitleOf(code) ?? t('Error'), fallback: t('Failed to update challenge') }),
    fields: fieldErrorsOf(form),
    onSuccess: () => {
      draft.markSaved()
      onSaved()
    },
    ...AFTER_ADMIN_ACTION,
  })
  const submit = useSubmit(form, save.run, formErrorToast)
  return (
    <form id={id} noValidate onSubmit={submit} className="grid grid-cols-1 gap-5">
      {draft.isRestored && <DraftNotice onStartOver={draft.startOver} />}
      <ChallengeFields form={form} />
      {save.failure && <Notice tone="bad" message={save.failure} />}
    </form>
  )
}
