import { UPLOAD_BYTES_MAX } from '@community/contract/limits'
import { useMutation } from '@tanstack/react-query'
import { ImageUp, Trash2 } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { Avatar } from '../../components/avatar.tsx'
import { failureOf } from '../../lib/failure.ts'
import { formatNumber } from '../../lib/format.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { type CurrentUser, storeUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { uploadAvatar } from '../../lib/upload.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'

const IMAGES = ['image/jpeg', 'image/png', 'image/gif']

/** English words for a file that need not be sent; null for one that may. */
function problemOf(file: File): string | null {
  if (!IMAGES.includes(file.type)) return msg('Please choose a JPEG, PNG or GIF picture')
  return file.size > UPLOAD_BYTES_MAX ? msg('The file is larger than 10 MB') : null
}

/** One's picture: the server cuts it square and keeps nothing else of the file. */
export function AvatarField({ user }: { user: CurrentUser }) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLButtonElement>(null)
  const [share, setShare] = useState(0)
  const [problem, setProblem] = useState<string>()
  const upload = useMutation({
    meta: { done: msg('Picture changed') },
    mutationFn: (file: File) => uploadAvatar(file, { onProgress: setShare }),
    onSuccess: ({ secureUrl }) => storeUser({ ...user, avatarUrl: secureUrl }),
    onError: (error) => setProblem(failureOf(error).message),
  })
  const remove = trpc.users.updateProfile.useMutation({
    meta: { done: msg('Picture removed'), failed: { title: msg('Profile update failed') } },
    onSuccess: (answer) => {
      storeUser(answer.user)
      // The button pressed goes with the picture.
      chooser.current?.focus()
    },
  })
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    // The same file may be chosen again after a failure.
    event.target.value = ''
    if (!file) return
    const found = problemOf(file)
    setProblem(found ?? undefined)
    if (found) return
    setShare(0)
    upload.mutate(file)
  }
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar person={user} size="lg" />
        <div className="flex flex-wrap gap-2">
          <Button
            ref={chooser}
            busy={upload.isPending}
            busyLabel={t('Sending {share}', { share: formatNumber(share, { style: 'percent' }) })}
            onClick={() => input.current?.click()}
          >
            <ImageUp aria-hidden="true" />
            {user.avatarUrl ? t('Change picture') : t('Add a picture')}
          </Button>
          {user.avatarUrl && (
            <Button variant="ghost" busy={remove.isPending} onClick={() => remove.mutate({ avatarUrl: null })}>
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
      <FieldError error={problem} />
    </div>
  )
}
