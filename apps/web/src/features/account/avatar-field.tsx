import { appErrors, type Message } from '@community/contract'
import { UPLOAD_BYTES_MAX } from '@community/contract/limits'
import { ImageUp, Trash2 } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { Avatar } from '../../components/avatar.tsx'
import { useAction } from '../../lib/action.ts'
import { formatNumber } from '../../lib/format.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { type CurrentUser, storeUser } from '../../lib/session.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { uploadAvatar } from '../../lib/upload.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { AFTER_PROFILE_CHANGE } from './after-profile-change.ts'

const IMAGES = ['image/jpeg', 'image/png', 'image/gif']

/** Why the server would reject the file; undefined when it would not. */
function findProblem(file: File): Message | undefined {
  if (!IMAGES.includes(file.type)) return { message: msg('Please choose a JPEG, PNG or GIF picture') }
  return file.size > UPLOAD_BYTES_MAX ? appErrors.fileTooLarge : undefined
}

/** Changes or removes the user's picture. The server crops it square and drops the file's metadata. */
export function AvatarField({ user }: { user: CurrentUser }) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const uploadButton = useRef<HTMLButtonElement>(null)
  const [progress, setProgress] = useState(0)
  const [problem, setProblem] = useState<Message>()
  const uploadProcedure = { mutate: (file: File) => uploadAvatar(file, { onProgress: setProgress }) }
  const upload = useAction(uploadProcedure, {
    success: t('Picture changed'),
    onSuccess: ({ secureUrl }) => storeUser({ ...user, avatarUrl: secureUrl }),
    ...AFTER_PROFILE_CHANGE,
  })
  const remove = useAction(trpcClient.users.updateProfile, {
    success: t('Picture removed'),
    failure: { title: t('Profile update failed') },
    onSuccess: (output) => {
      storeUser(output.user)
      // The Remove button disappears with the picture.
      uploadButton.current?.focus()
    },
    ...AFTER_PROFILE_CHANGE,
  })
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    // Lets the same file be chosen again after a failure.
    event.target.value = ''
    if (!file) return
    const fileProblem = findProblem(file)
    setProblem(fileProblem)
    if (fileProblem) return
    setProgress(0)
    void upload.run(file)
  }
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar person={user} size="lg" />
        <div className="flex flex-wrap gap-2">
          <Button
            ref={uploadButton}
            busy={upload.isPending}
            busyLabel={t('Uploading {share}', { share: formatNumber(progress, { style: 'percent' }) })}
            onClick={() => input.current?.click()}
          >
            <ImageUp aria-hidden="true" />
            {user.avatarUrl ? t('Change picture') : t('Add a picture')}
          </Button>
          {user.avatarUrl && (
            <Button variant="ghost" busy={remove.isPending} onClick={() => void remove.run({ avatarUrl: null })}>
              <Trash2 aria-hidden="true" />
              {t('Remove picture')}
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          accept={IMAGES.join(',')}
          tabIndex={-1}
          aria-label={t('Profile picture')}
          className="sr-only"
          onChange={choose}
        />
      </div>
      <FieldError error={problem ?? upload.failure} />
    </div>
  )
}
